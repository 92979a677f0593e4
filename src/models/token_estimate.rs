//! How many tokens a text is, about.

/// How many bytes a token has, in English and in code.
const BYTES_PER_TOKEN: u64 = 4;

/// Returns about how many tokens so many bytes are.
pub(crate) fn tokens(bytes: u64) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN)
}
