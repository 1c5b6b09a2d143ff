import type { CDPSession } from 'playwright'
import type { IsolatedWorld, PageWorld } from '../browser-page.js'
import { isNavigation, PageScriptError } from './browser-errors.js'

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

  async function withContext<Answer>(ask: (contextId: number) => Promise<Answer>): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      try {
        return await ask(await (opening ??= open()))
      } catch (error) {
        opening = undefined
        // The document was gone before the call; one that goes during the call is reported to the caller.
        const isStale = isNavigation(error) && /Cannot find context|No frame (?:for|with)/.test(String(error))
        if (!isStale || tries === MAX_TRIES) throw error
        isFrameGone = true
      }
    }
  }

  const callBy =
    (userGesture: boolean): IsolatedWorld['call'] =>
    async (run, question) => {
      const sent = { functionDeclaration: String(run), arguments: [{ value: question }], userGesture }
      return await withContext(
        async (executionContextId) =>
          readAnswer(
            await session.send('Runtime.callFunctionOn', {
              ...sent,
              executionContextId,
              awaitPromise: true,
              returnByValue: true,
            }),
          ) as never,
      )
    }

  return {
    call: callBy(false),
    act: callBy(true),
    evaluate: (expression) =>
      withContext(async (contextId) =>
        readAnswer(await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true })),
      ),
  }
}

/** @param session of the page itself */
export const createPageWorld = (session: CDPSession): PageWorld => ({
  async call(run, question) {
    // Playwright's own `evaluate` would run its helpers in this world, with the page's `Map`.
    const expression = `(${String(run)})(${JSON.stringify(question)})`
    const shared = { awaitPromise: true, returnByValue: true, userGesture: true }
    return readAnswer(await session.send('Runtime.evaluate', { expression, ...shared }))
  },
  async evaluate(script, run, question) {
    const held = { replMode: true, awaitPromise: true, userGesture: true, objectGroup: SCRIPT_GROUP }
    // None of it runs, because a `throw` statement is put before it.
    const trial = await session.send('Runtime.evaluate', { ...held, expression: `throw 0;\n${script}` })
    if (trial.exceptionDetails?.exception?.value !== 0) return undefined
    try {
      const found = await session.send('Runtime.evaluate', { ...held, expression: script })
      readAnswer(found)
      const { type, value, objectId, unserializableValue } = found.result
      const argument = objectId !== undefined ? { objectId } : unserializableValue ? { unserializableValue } : { value }
      const { result: global } = await session.send('Runtime.evaluate', { ...held, expression: 'globalThis' })
      return {
        answer: readAnswer(
          await session.send('Runtime.callFunctionOn', {
            functionDeclaration: String(run),
            arguments: [type === 'undefined' ? {} : argument, { value: question }],
            objectId: global.objectId,
            awaitPromise: true,
            returnByValue: true,
            userGesture: true,
          }),
        ),
      }
    } finally {
      session.send('Runtime.releaseObjectGroup', { objectGroup: SCRIPT_GROUP }).catch(() => undefined)
    }
  },
})

/** Name of the objects of the browser that a script of the caller holds until its value is read. */
const SCRIPT_GROUP = 'script'

/** The protocol's answer to a call of a function: its result, or what it has thrown. */
interface ProtocolAnswer {
  readonly result: { readonly value?: unknown }
  readonly exceptionDetails?: {
    readonly text: string
    readonly exception?: { readonly description?: string; readonly value?: unknown }
  }
}

/** @throws PageScriptError what the function has thrown */
export function readAnswer({ result, exceptionDetails }: ProtocolAnswer): unknown {
  if (!exceptionDetails) return result.value
  const { exception, text } = exceptionDetails
  throw new PageScriptError(exception ? (exception.description ?? String(exception.value)) : text)
}
