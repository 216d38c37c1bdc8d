//! Where buffers and images may come from: the file itself, or files beside it, and nowhere else.

use crate::ImportError;
use crate::warning::excerpt;
use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Reads a file beside the one that is loaded, by its relative path with `/` between folders.
pub type Resolve<'a> = &'a dyn Fn(&str) -> std::io::Result<Vec<u8>>;

/// What a URI leads to.
pub(super) enum Content {
    /// It holds the bytes itself.
    Inline(Vec<u8>),
    /// The bytes are in a file beside this one, at this relative path.
    Beside(String),
}

/// What a URI leads to. Only `data:` and relative paths that stay beside the file are followed.
pub(super) fn content(uri: &str) -> Result<Content, ImportError> {
    if uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) {
        return inline(&uri[5..]).map(Content::Inline);
    }
    beside(uri).map(Content::Beside)
}

fn inline(data: &str) -> Result<Vec<u8>, ImportError> {
    let Some((kind, payload)) = data.split_once(',') else {
        return Err(ImportError::new("a data: URI without a comma"));
    };
    if !kind.ends_with(";base64") {
        return Err(ImportError::new(format!("a data: URI of type {:?}; only base64 is read", excerpt(kind))));
    }
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let engine = GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    engine.decode(payload).map_err(|error| ImportError::new(format!("a data: URI is not base64: {error}")))
}

/// The relative path that a URI names, if it cannot lead out of the folder on any system.
fn beside(uri: &str) -> Result<String, ImportError> {
    let refuse = |why: &str| Err(ImportError::new(format!("the URI {:?} is refused: {why}", excerpt(uri))));
    let Some(path) = percent_decoded(uri) else { return refuse("it is not percent-encoded UTF-8") };
    if path.contains(':') {
        return refuse("only files beside this one are read, no network and no drives");
    }
    if path.contains('\\') || path.chars().any(char::is_control) {
        return refuse("backslashes and control characters are no part of a path");
    }
    if path.starts_with('/') {
        return refuse("only files beside this one are read, no absolute paths");
    }
    // Windows drops dots and blanks at the end of a name, so that ".. " is ".." there.
    if path.split('/').any(|part| part.trim_end_matches(['.', ' ']).is_empty() && part != ".") {
        return refuse("only files beside this one are read, none in folders above");
    }
    Ok(path)
}

fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%' {
            let [high, low, after @ ..] = rest else { return None };
            let digit = |byte: u8| char::from(byte).to_digit(16);
            bytes.push((digit(*high)? * 16 + digit(*low)?) as u8);
            rest = after;
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stays_beside_is_followed() {
        for (uri, path) in [("Fox.bin", "Fox.bin"), ("textures/a%20b.png", "textures/a b.png"), ("./a..b", "./a..b")] {
            assert_eq!(beside(uri).unwrap(), path);
        }
        for uri in [
            "../secret",
            "a/../../secret",
            "/etc/passwd",
            "//host/share",
            "C:/Windows",
            "c:secret",
            "..\\secret",
            "a\\..\\..\\b",
            "%2e%2e/secret",
            "%2E%2E%2Fsecret",
            "a%2f..%2f..%2fb",
            "%5c%5chost",
            "http://host/a.bin",
            "https://host/a.bin",
            "file:///etc/passwd",
            "file%3a///etc/passwd",
            "a%00b",
            ".. /secret",
            ".../secret",
            "",
            "a//b",
            "%",
            "%zz",
            "%ff",
        ] {
            assert!(beside(uri).is_err(), "{uri} must be refused");
        }
        // Decoded once only: what is left is a plain name.
        assert_eq!(beside("%252e%252e").unwrap(), "%2e%2e");
    }

    #[test]
    fn data_uris_are_base64() {
        let bytes = |uri: &str| match content(uri) {
            Ok(Content::Inline(bytes)) => Some(bytes),
            _ => None,
        };
        assert_eq!(bytes("data:application/octet-stream;base64,AAEC").unwrap(), [0, 1, 2]);
        assert_eq!(bytes("data:;base64,AA==").unwrap(), [0]);
        assert_eq!(bytes("DATA:;base64,AA").unwrap(), [0]);
        for bad in ["data:", "data:,abc", "data:;base64,###", "data:text/plain,abc"] {
            assert!(bytes(bad).is_none(), "{bad}");
        }
    }
}
