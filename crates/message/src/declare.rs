//! How messages are declared.

/// Declares messages with arguments: a struct each, its id, and its arguments. A message without
/// arguments is not declared: [`label`](crate::label) makes it from its id.
///
/// Each list has a test: every language has the words, and they use the arguments.
///
/// ```
/// message::messages! {
///     BurstEnded = "burst-ended" { after: units::Nanos, rate: units::Iops };
/// }
/// let ended = BurstEnded { after: units::Nanos(5), rate: units::Iops(1.5) };
/// assert_eq!(message::Message::from(ended).id(), "burst-ended");
/// ```
#[macro_export]
macro_rules! messages {
    (
        @list
        $($(#[$_:meta])* $Name:ident = $id:literal $({ $($field:ident: $Type:ty),* $(,)? })?;)*
    ) => {
        &[$($crate::Declared {
            id: $id,
            arguments: &[$($((stringify!($field), <$Type as $crate::IntoArgument>::KIND),)*)?],
        },)*]
    };
    (
        $($(#[$meta:meta])* $Name:ident = $id:literal $({ $($field:ident: $Type:ty),* $(,)? })?;)*
    ) => {
        $(
            $(#[$meta])*
            pub struct $Name { $($(pub $field: $Type,)*)? }

            impl From<$Name> for $crate::Message {
                fn from(message: $Name) -> Self {
                    let $Name { $($($field,)*)? } = message;
                    let arguments = [
                        $($((stringify!($field), $crate::IntoArgument::into_argument($field)),)*)?
                    ];
                    Self::new($id, arguments)
                }
            }
        )*

        #[cfg(test)]
        #[test]
        fn declared_messages_have_their_words_in_every_language() {
            let declared = $crate::messages!(
                @list $($Name = $id $({ $($field: $Type),* })?;)*
            );
            assert_eq!($crate::list_faults(declared), [""; 0]);
        }
    };
}
