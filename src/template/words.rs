//! How the words of the language are defined: an enum whose members each have one spelling in files and prompts.

/// A member of such an enum.
pub trait Word: Copy + PartialEq + std::fmt::Debug {
    /// The name of the enum.
    const SET: &'static str;
    /// Every member's spelling, in order.
    const WORDS: &'static [&'static str];

    /// Returns the spelling used in files and prompts.
    fn word(self) -> &'static str;

    /// Finds the member with exactly this spelling.
    fn from_word(word: &str) -> Option<Self>;
}

/// Defines such an enum.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$member_meta:meta])* $member:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$member_meta])* $member,)+ }

        impl $name {
            /// Every member, in order.
            pub const ALL: &'static [Self] = &[$(Self::$member,)+];
            /// Every member's spelling, in order.
            pub const WORDS: &'static [&'static str] = &[$($word,)+];

            /// Returns the spelling used in files and prompts.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$member => $word,)+ }
            }

            /// Finds the member with exactly this spelling.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$member),)+ _ => None }
            }
        }

        impl $crate::template::words::Word for $name {
            const SET: &'static str = stringify!($name);
            const WORDS: &'static [&'static str] = Self::WORDS;

            fn word(self) -> &'static str {
                self.word()
            }

            fn from_word(word: &str) -> Option<Self> {
                Self::from_word(word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }
    };
}

pub(crate) use words;
