import type { CDPSession } from 'playwright'

/** A page's document, in a world of its own: the tree is the page's, all that scripts may replace is not. */
export interface IsolatedWorld {
  /**
   * Runs a function on the document that stands in the window, whatever its scripts have made of `Map`, `JSON` or
   * `Array.prototype`.
   *
   * @param question what it is given; question and answer go as JSON
   * @throws Error when the page goes elsewhere meanwhile (`isNavigation`), or is gone
   */
  call<Question, Answer>(run: (question: Question) => Answer | Promise<Answer>, question: Question): Promise<Answer>
}

/** A page may go elsewhere between two messages; so often its new document is asked instead. */
const MAX_TRIES = 5

/** @param session of the page itself, told of its network */
export function createIsolatedWorld(session: CDPSession, worldName: string): IsolatedWorld {
  let opening: Promise<number> | undefined
  // The first document that is asked for is the page's own, and its frame stays the same wherever the page goes.
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
          // Its document went before it was asked; one that goes while it is asked is the caller's to know of.
          const isStale = error instanceof Error && /Cannot find context|No frame (?:for|with)/.test(error.message)
          if (!isStale || tries === MAX_TRIES) throw error
          isFrameGone = true
        }
      }
    },
  }
}
