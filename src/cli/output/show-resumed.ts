import type { Engine, EngineConfig } from '../../index.js'
import type { Terminal } from '../terminal/terminal.js'

/** Flags of a command that matter for resuming. */
interface ResumeFlags {
  readonly resume?: boolean
  readonly quiet?: boolean
  readonly database?: string
}

/**
 * Returns the setting `resume` of a command's engine, which reports the jobs that are continued, and why others are not.
 *
 * @param getEngine returns the engine, which does not exist yet
 */
export function showResumed(
  { resume = false, quiet = false, database }: ResumeFlags,
  terminal: Terminal,
  getEngine: () => Engine,
): { resume: EngineConfig['resume'] } {
  // Without a database, the command says that it is missing.
  if (!resume || quiet || database === undefined) return { resume: resume && database !== undefined }
  return {
    resume: {
      onJob(id) {
        terminal.report(`Job ${id} is continued`)
        const follow = async (): Promise<void> => {
          const job = await getEngine().job(id)
          job?.on('finished', ({ status, completed, failed }) =>
            terminal.report(`Job ${id} ${status}: ${completed} done, ${failed} failed`),
          )
        }
        // The engine may have been closed meanwhile.
        follow().catch(() => undefined)
      },
      onError: ({ code, message }) => terminal.report(`${code}: ${message}`),
    },
  }
}
