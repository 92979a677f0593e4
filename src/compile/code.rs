//! The table of diagnostic codes. `docs/diagnostics.md` explains each; a test holds the two together.

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The build fails.
    Error,
    /// The build goes on.
    Warning,
}

/// A code of diagnostics, whoever finds them: templates and plans have a table each.
pub trait DiagnosticCode: Copy + Ord {
    /// Returns the code as it is printed.
    fn slug(self) -> &'static str;

    /// Returns the severity of every diagnostic of this code.
    fn severity(self) -> Severity;
}

/// Defines the codes of a table with their spelling and severity.
macro_rules! codes {
    ($(#[$of_table:meta])* pub enum $table:ident { $($(#[$meta:meta])* $code:ident = $slug:literal $severity:ident,)+ }) => {
        $(#[$of_table])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $table { $($(#[$meta])* $code,)+ }

        impl $table {
            /// Every code, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$code,)+];

            /// Returns the code as it is printed.
            pub const fn slug(self) -> &'static str {
                match self { $(Self::$code => $slug,)+ }
            }

            /// Returns the severity of every diagnostic of this code.
            pub const fn severity(self) -> $crate::compile::Severity {
                match self { $(Self::$code => $crate::compile::Severity::$severity,)+ }
            }
        }

        impl $crate::compile::DiagnosticCode for $table {
            fn slug(self) -> &'static str {
                self.slug()
            }

            fn severity(self) -> $crate::compile::Severity {
                self.severity()
            }
        }
    };
}
pub(crate) use codes;

codes! {
    /// What a diagnostic of a template is about. The spelling is stable.
    pub enum Code {
        /// A file's name is not of the form its folder asks for.
        FileName = "file-name" Error,
        /// A file's name is right but for its case.
        FileCase = "file-case" Error,
        /// A file's name holds an agent that does not exist.
        UnknownAgent = "unknown-agent" Error,
        /// A file's name holds a phase that does not exist.
        UnknownPhase = "unknown-phase" Error,
        /// A phase has no BASE template.
        MissingBase = "missing-base" Error,
        /// A file of `agents/` or `commands/` is named after no role or command.
        UnknownPrompt = "unknown-prompt" Error,
        /// A prompt of the team has no template.
        MissingPrompt = "missing-prompt" Error,
        /// A file holds nothing but white space.
        EmptyFile = "empty-file" Error,
        /// A file is not UTF-8.
        NotUtf8 = "not-utf8" Error,
        /// A required section is not there.
        MissingSection = "missing-section" Error,
        /// A required section has no text.
        EmptySection = "empty-section" Error,
        /// A required section stands twice.
        DuplicateSection = "duplicate-section" Error,
        /// A required section stands only inside a code block.
        FencedSection = "section-in-code" Error,
        /// A code fence is never closed.
        UnclosedFence = "unclosed-fence" Error,
        /// A marker is not closed before the end of its line.
        UnclosedMarker = "unclosed-marker" Error,
        /// A marker's name is not a name.
        MalformedMarker = "malformed-marker" Error,
        /// A marker belongs to another dialect.
        ForeignMarker = "foreign-marker" Error,
        /// A directive does not exist.
        UnknownDirective = "unknown-directive" Error,
        /// A variable or placeholder does not exist.
        UnknownVariable = "unknown-variable" Error,
        /// A variable exists, but not in this phase; or a placeholder, but not in this prompt.
        VariableNotAllowed = "variable-not-allowed" Error,
        /// A variable that this phase requires, or a placeholder that this prompt does, is not used.
        MissingVariable = "missing-variable" Error,
        /// A shared fragment does not exist.
        UnknownFragment = "unknown-fragment" Error,
        /// Shared fragments include each other in a circle.
        FragmentCycle = "fragment-cycle" Error,
        /// A fragment that a system template includes holds a live marker.
        LiveFragment = "live-fragment" Error,
        /// The edge of a fragment and the text beside it join into a marker.
        JoinedMarker = "joined-marker" Error,
        /// A template grows beyond all bounds when its fragments are linked in.
        LinkedTooLarge = "linked-too-large" Error,
        /// A shared fragment is included by no template.
        UnusedFragment = "unused-fragment" Warning,
        /// A fragment that a prompt's contract asks for is not included.
        MissingFragment = "missing-fragment" Error,
        /// A file is included that no prompt's contract knows.
        UnknownSessionFile = "unknown-session-file" Error,
        /// A file that a prompt's contract asks for is not included.
        MissingSessionFile = "missing-session-file" Error,
        /// A file that may be missing is included as if it were certain, or the other way round.
        SessionFilePresence = "session-file-presence" Error,
        /// What the contract asks a prompt to say is not said.
        MissingDirective = "missing-directive" Error,
        /// A response marker that the phase's contract asks for is not taught.
        UntaughtMarker = "untaught-marker" Error,
        /// A template teaches a verdict or task status that its phase does not know.
        UnknownVerdict = "unknown-verdict" Error,
        /// A line shows the PASS marker without any other.
        LonePass = "lone-pass" Error,
        /// An identity does not open with frontmatter.
        MissingFrontmatter = "missing-frontmatter" Error,
        /// A frontmatter is not YAML.
        FrontmatterSyntax = "frontmatter-syntax" Error,
        /// A frontmatter has a key that does not exist.
        FrontmatterKey = "frontmatter-key" Error,
        /// A frontmatter lacks a key that it must have.
        FrontmatterField = "frontmatter-field" Error,
        /// A frontmatter has a value that is not what its key asks for.
        FrontmatterType = "frontmatter-type" Error,
        /// An identity's name is not that of its file, or is another's too.
        IdentityName = "identity-name" Error,
        /// An identity uses a variable that it does not declare.
        UndeclaredVariable = "undeclared-variable" Error,
        /// An identity declares a variable that it does not use, or declares it twice.
        UnusedVariable = "unused-variable" Error,
        /// A role or command template does not hold `[[placeholder:project_instructions]]` exactly once.
        ExtensionPoint = "extension-point" Error,
        /// A frame is opened and not closed.
        UnclosedFrame = "unclosed-frame" Error,
        /// A frame is closed and was not opened.
        UnopenedFrame = "unopened-frame" Error,
        /// A value or a file that may be of any size stands outside of a frame.
        UnframedValue = "unframed-value" Error,
        /// A value or a file stands within a tag.
        ValueInTag = "value-in-tag" Error,
    }
}
