//! Texts that are checked once, and are types of their own from then on: ids, names, days.

/// Implements the conversions of a type around a text. Its function `is_valid` says which texts it holds; any other becomes the error.
macro_rules! checked_text {
    ($name:ident, $error:ident) => {
        impl $name {
            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::try_from(text.to_owned())
            }
        }

        impl TryFrom<String> for $name {
            type Error = $error;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                if Self::is_valid(&text) { Ok(Self(text)) } else { Err($error(text)) }
            }
        }

        impl From<$name> for String {
            fn from(checked: $name) -> Self {
                checked.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}

pub(crate) use checked_text;
