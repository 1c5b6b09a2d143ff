/** The warnings of a job, each once. */
export class Warnings extends Set<string> {
  readonly #changed: (warnings: readonly string[]) => void

  /** @param changed told of all of them when there is a new one */
  constructor(warnings: readonly string[] | undefined, changed: (warnings: readonly string[]) => void) {
    super()
    for (const warning of warnings ?? []) super.add(warning)
    this.#changed = changed
  }

  override add(warning: string): this {
    if (this.has(warning)) return this
    super.add(warning)
    this.#changed([...this])
    return this
  }
}
