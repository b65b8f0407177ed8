//! The languages, and which one a reader wants.

/// A language that the program speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    English,
    Vietnamese,
    Russian,
    Chinese,
    Indonesian,
}

/// A language, and the name that was asked for where it is none of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageChoice {
    pub language: Language,
    pub unknown: Option<String>,
}

/// The environment's names, the strongest first; `--lang` is stronger than all.
const VARIABLES: [&str; 5] = ["TRUEDISK_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"];

impl Language {
    pub const ALL: [Self; 5] =
        [Self::English, Self::Vietnamese, Self::Russian, Self::Chinese, Self::Indonesian];

    /// As a page's `lang` attribute and the name of the file have it.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Vietnamese => "vi",
            Self::Russian => "ru",
            Self::Chinese => "zh-CN",
            Self::Indonesian => "id",
        }
    }

    /// `vi`, `vi_VN.UTF-8`, `zh-Hans`; `C` and `POSIX` are English. `None` for others.
    pub fn from_locale(locale: &str) -> Option<Self> {
        let name = locale.split(['.', '@']).next().unwrap_or_default();
        if matches!(name, "C" | "POSIX") {
            return Some(Self::English);
        }
        let asked: unic_langid::LanguageIdentifier = name.parse().ok()?;
        let code = if asked.language.as_str() == "in" { "id" } else { asked.language.as_str() };
        Self::ALL.into_iter().find(|known| known.tag().split('-').next() == Some(code))
    }

    /// The first name that is set decides. `LANGUAGE` is a list, of which the first known counts.
    pub fn choose(
        flag: Option<&str>,
        environment: impl Fn(&str) -> Option<String>,
    ) -> LanguageChoice {
        let own = flag.map(|flag| ("--lang", flag.to_owned()));
        let set = VARIABLES.into_iter().filter_map(|name| Some((name, environment(name)?)));
        let asked = own.into_iter().chain(set).find(|(_, value)| !value.is_empty());
        let Some((name, value)) = asked else {
            return LanguageChoice { language: Self::English, unknown: None };
        };
        let found = match name {
            "LANGUAGE" => value.split(':').find_map(Self::from_locale),
            _ => Self::from_locale(&value),
        };
        let unknown = found.is_none().then_some(value);
        LanguageChoice { language: found.unwrap_or_default(), unknown }
    }

    /// What ends a sentence.
    pub const fn full_stop(self) -> &'static str {
        if matches!(self, Self::Chinese) { "。" } else { "." }
    }

    /// Text with numbers as `units` prints them, with this language's punctuation. English and
    /// Chinese write 118,402.5; elsewhere a comma is the decimal sign, and a narrow blank groups
    /// digits. Names (p99.9) stay as they are, and so does text that has the punctuation already.
    pub fn punctuate(self, text: &str) -> String {
        if matches!(self, Self::English | Self::Chinese) {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        let mut is_name = false;
        for (place, sign) in text.char_indices() {
            let rest = &text[place + sign.len_utf8()..];
            let digits = rest.chars().take_while(char::is_ascii_digit).count();
            let after_digit = out.ends_with(|c: char| c.is_ascii_digit());
            out.push(match sign {
                ',' if after_digit && !is_name && digits == 3 => '\u{202f}',
                '.' if after_digit && !is_name && digits > 0 => ',',
                other => other,
            });
            let is_inside = sign.is_ascii_digit() || matches!(sign, '.' | ',');
            is_name = sign.is_alphabetic() || (is_name && is_inside);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_are_read_by_their_language() {
        let check = |locale, language| assert_eq!(Language::from_locale(locale), language);
        check("C", Some(Language::English));
        check("C.UTF-8", Some(Language::English));
        check("vi_VN.UTF-8", Some(Language::Vietnamese));
        check("ru", Some(Language::Russian));
        check("zh-Hans-CN", Some(Language::Chinese));
        check("in_ID", Some(Language::Indonesian));
        check("de_DE.UTF-8@euro", None);
        check("../../etc/passwd", None);
    }

    #[test]
    fn the_flag_is_stronger_than_the_environment() {
        let environment = |name: &str| match name {
            "LC_ALL" => Some("ru_RU.UTF-8".to_owned()),
            "LANG" => Some("vi_VN".to_owned()),
            "LANGUAGE" => Some(String::new()),
            _ => None,
        };
        assert_eq!(Language::choose(Some("id"), environment).language, Language::Indonesian);
        assert_eq!(Language::choose(None, environment).language, Language::Russian);
        let list = |name: &str| (name == "LANGUAGE").then(|| "de:zh_CN:en".to_owned());
        assert_eq!(Language::choose(None, list).language, Language::Chinese);
        let german = Language::choose(Some("de"), environment);
        let expected = LanguageChoice { language: Language::English, unknown: Some("de".into()) };
        assert_eq!(german, expected);
    }

    #[test]
    fn numbers_are_not_misread_in_another_language() {
        let check = |language: Language, expected: &str| {
            assert_eq!(language.punctuate("118,402.5 MB/s"), expected);
        };
        check(Language::English, "118,402.5 MB/s");
        check(Language::Chinese, "118,402.5 MB/s");
        check(Language::Vietnamese, "118\u{202f}402,5 MB/s");
        check(Language::Russian, "118\u{202f}402,5 MB/s");
    }

    #[test]
    fn names_and_what_is_punctuated_already_stay_as_they_are() {
        let check = |text: &str, expected: &str| {
            let once = Language::Russian.punctuate(text);
            assert_eq!(once, expected);
            assert_eq!(Language::Russian.punctuate(&once), expected);
        };
        check("<- p99.9<1.5ms, p99", "<- p99.9<1,5ms, p99");
        check("1,234,567.8 (±0.12 %)", "1\u{202f}234\u{202f}567,8 (±0,12 %)");
        check("глубина 1, 2. Потом 3", "глубина 1, 2. Потом 3");
    }
}
