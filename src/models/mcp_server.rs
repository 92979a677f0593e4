//! A server of tools that an agent gets for one run. How each CLI is told of it is known to its adapter.

/// A server that speaks MCP on its standard input and output, and is started by the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct McpServer {
    /// Its program.
    pub command: String,
    /// The program's arguments.
    pub args: Vec<String>,
    /// The names of its tools, all of which the agent may use.
    pub tools: Vec<String>,
}

impl McpServer {
    /// The name by which agents know it.
    pub const NAME: &'static str = "agentd";

    /// Describes a server, unless a CLI could misread what it is told: some put the value of a variable in the place of
    /// `$NAME`.
    ///
    /// ```
    /// use agentd::models::mcp_server::McpServer;
    ///
    /// let server = |args: &[&str]| McpServer::new("/usr/bin/agentd", args, &["submit_done"]);
    /// assert!(server(&["mcp", "--project", "/shop"]).is_some());
    /// assert!(server(&["mcp", "--project", "/$HOME"]).is_none());
    /// ```
    pub fn new(command: &str, args: &[&str], tools: &[&str]) -> Option<Self> {
        let is_plain = |word: &&str| !word.contains('$');
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let plain = is_plain(&command) && args.iter().all(is_plain);
        plain.then(|| Self { command: command.to_owned(), args: words(args), tools: words(tools) })
    }
}
