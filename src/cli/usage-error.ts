/** What was typed cannot be done: with every problem found, each in a line of its own. */
export class UsageError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'UsageError'
    this.problems = problems
  }
}
