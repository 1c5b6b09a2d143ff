import type { CDPSession } from 'playwright'

/** An isolated world of a page: it shares the tree with the page, but no global that the page's scripts may replace. */
export interface IsolatedWorld {
  /**
   * Runs a function on the current document, whatever its scripts have done to `Map`, `JSON` or `Array.prototype`.
   *
   * @param question the argument; argument and result are sent as JSON
   * @throws Error if the page navigates meanwhile (`isNavigation`), or is gone
   */
  call<Question, Answer>(run: (question: Question) => Answer | Promise<Answer>, question: Question): Promise<Answer>
}

/** Maximum attempts of a call. It is repeated when the page navigates to a new document before the call is made. */
const MAX_TRIES = 5

/** @param session of the page itself, with network events enabled */
export function createIsolatedWorld(session: CDPSession, worldName: string): IsolatedWorld {
  let opening: Promise<number> | undefined
  // The first document requested is the page's own; the id of its frame stays the same across navigations.
  let mainFrame: string | undefined
  let isFrameGone = false
  session.on('Network.requestWillBeSent', ({ type, frameId }) => {
    if (type === 'Document') mainFrame ??= frameId
  })

  async function open(): Promise<number> {
    const known = isFrameGone ? undefined : mainFrame
    const frameId = known ?? (await session.send('Page.getFrameTree')).frameTree.frame.id
    const world = await session.send('Page.createIsolatedWorld', { frameId, worldName })
    return world.executionContextId
  }

  async function ask(declaration: string, question: unknown): Promise<unknown> {
    const executionContextId = await (opening ??= open())
    const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: declaration,
      executionContextId,
      arguments: [{ value: question }],
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value as unknown
  }

  return {
    async call(run, question) {
      for (let tries = 1; ; tries++) {
        try {
          return (await ask(String(run), question)) as never
        } catch (error) {
          opening = undefined
          // The document was gone before the call; one that goes during the call is reported to the caller.
          const isStale = error instanceof Error && /Cannot find context|No frame (?:for|with)/.test(error.message)
          if (!isStale || tries === MAX_TRIES) throw error
          isFrameGone = true
        }
      }
    },
  }
}
