/** Progress of a call of a tool. */
export interface ToolProgress {
  /** Number of pages that have ended. It grows from report to report. */
  readonly done: number
  /** Number of pages that are known so far. */
  readonly total: number
  readonly message: string
}

/** Options of a call of a tool. */
export interface ToolCallOptions {
  /** Aborting it aborts the scrape, or cancels a crawl that the call has started and waits for. */
  signal?: AbortSignal
  /** Called with the progress of the call. */
  onProgress?: (progress: ToolProgress) => void
}

/** A tool for an agent: its description, the JSON Schema of its input, and its function. */
export interface AgentTool {
  readonly name: string
  /** Description for the model. */
  readonly description: string
  /** JSON Schema of the input: an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** True if a call starts or ends nothing. */
  readonly isReadOnly: boolean
  /**
   * Runs a call.
   *
   * @param input as the model gives it: it is checked
   * @returns text of at most `maxTokens`
   * @throws TrawlError with a code and a message for the model; the reason of the signal
   */
  run(input: unknown, options?: ToolCallOptions): Promise<string>
}

/** A document that a tool has read. */
export interface ToolDocument {
  /** Identifies it for {@link Toolkit.readDocument}. */
  readonly id: string
  readonly url: string
  readonly title?: string
}

/** Tools for agents, with the crawls and the texts that their calls share. */
export interface Toolkit extends AsyncDisposable {
  readonly tools: readonly AgentTool[]
  /** Lists the documents that the tools have read and still keep, oldest first. */
  documents(): readonly ToolDocument[]
  /**
   * Reads a document in Markdown, in parts of at most `maxTokens`.
   *
   * @param id of a document, or the handle of its rest
   * @throws TrawlError `BAD_REQUEST` when it is not kept
   */
  readDocument(id: string): string
  /** Cancels the crawls that run. The engine stays open. */
  close(): Promise<void>
}
