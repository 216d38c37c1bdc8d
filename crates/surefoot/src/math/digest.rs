//! A fingerprint of numbers, for telling whether two results are the same bits.

use super::Rigid;

/// FNV-1a over 64-bit words: not for security, but the same on every machine and in every release.
#[derive(Clone, Copy, Debug)]
pub struct Digest(u64);

impl Digest {
    /// The fingerprint of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Takes in one word.
    #[inline]
    pub fn word(&mut self, word: u64) {
        // Plain FNV works byte by byte; a word at a time needs its high bits folded back in.
        let mixed = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 = mixed ^ (mixed >> 29);
    }

    /// Takes in bytes and their number.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for byte in bytes {
            self.word(u64::from(*byte));
        }
    }

    /// Takes in one number by its bits.
    #[inline]
    pub fn number(&mut self, number: f32) {
        self.word(u64::from(number.to_bits()));
    }

    /// Takes in a transform by its seven numbers, never by its padding.
    pub fn rigid(&mut self, rigid: Rigid) {
        for number in rigid.rotation.to_array().into_iter().chain(rigid.translation.to_array()) {
            self.number(number);
        }
    }

    /// The fingerprint so far.
    #[must_use]
    pub const fn finish(self) -> u64 {
        self.0
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}
