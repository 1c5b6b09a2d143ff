import type { BrowserContext, CDPSession, Frame, Page } from 'playwright'
import { pageFunction, type HtmlPiece, type SerializeQuestion } from '../injected/page-functions.js'
import { readAnswer } from './isolated-world.js'
import { withinMs } from '../../../base/concurrency/within-ms.js'

/** The element of a document that shows a frame. */
export interface FrameElement {
  /** The protocol's id of the element, in the isolated world of the document. */
  readonly objectId: string
  /** CSS pixels. */
  readonly width: number
  readonly height: number
}

/** A frame that was read: its element, and the text that stands for it in the HTML. */
interface MarkedElement {
  readonly element: FrameElement
  readonly mark: string
}

/** The document of a frame, which is read in an isolated world of its own. */
export interface FrameDocument {
  readonly children: readonly FrameDocument[]
  /**
   * Set for a frame without a document of its own, in which the browser may show a page that explains why: its request was
   * `stopped` by trawl's filter, or has `failed`.
   */
  readonly missing?: 'stopped' | 'failed'
  /** Finds the element that shows a child; undefined for one that is removed, or not shown. */
  findElement(child: FrameDocument): Promise<FrameElement | undefined>
  /** As `serializeAndKeep`, with marks in place of frames. */
  serialize(question: SerializeQuestion, marked: readonly MarkedElement[]): Promise<unknown>
  /** As `readKeptHtml`. */
  readKept(piece: HtmlPiece): Promise<unknown>
}

/** The documents of a page in all frames. */
export interface FrameTree {
  readonly main: FrameDocument
  /** Number of frames whose process did not answer. */
  readonly lost: number
  /** Releases what the frames hold of the browser. */
  close(): void
}

interface FrameTreeOptions {
  readonly page: Page
  readonly context: BrowserContext
  /** The session of the page itself. */
  readonly session: CDPSession
  readonly worldName: string
  /** Tests whether trawl's filter stops the requests for a frame's document. */
  readonly isStopped: (url: string) => boolean
}

/** Limit for the process of a frame to answer. Milliseconds. */
const ANSWER_MS = 3_000
/** Maximum number of frames that are asked whether they have a process of their own. */
const MAX_ASKED = 100
/** Name of the objects of the browser that are held while a page is read. */
const OBJECT_GROUP = 'frames'

type ProtocolTree = Awaited<ReturnType<typeof readTree>>

/**
 * Opens the documents of a page in all its frames. Playwright runs functions that are given an element only in the world of
 * the page's scripts, which may have replaced what they use; so the documents are found by the protocol.
 */
export async function openFrameTree({
  page,
  context,
  session,
  worldName,
  isStopped,
}: FrameTreeOptions): Promise<FrameTree> {
  const sessions = [session]
  const documents = new Map<string, ProtocolDocument>()
  const parents = new Map<ProtocolDocument, string>()
  let lost = 0

  function add({ frame, childFrames = [] }: ProtocolTree, own: CDPSession): ProtocolDocument {
    const failedUrl = frame.unreachableUrl ?? (isErrorPage(frame.url) ? frame.url : undefined)
    const missing = failedUrl === undefined ? undefined : isStopped(failedUrl) ? 'stopped' : 'failed'
    const document = new ProtocolDocument(frame.id, own, { worldName, missing })
    documents.set(frame.id, document)
    if (frame.parentId !== undefined) parents.set(document, frame.parentId)
    for (const child of childFrames) add(child, own)
    return document
  }

  /** Adds a frame with a process of its own; the others are in the tree of the frame around them. */
  async function addRemote(frame: Frame): Promise<void> {
    const own = await context.newCDPSession(frame).catch(() => undefined)
    if (!own) return
    sessions.push(own)
    const tree = await withinMs(readTree(own), ANSWER_MS).catch(() => undefined)
    if (tree) add(tree, own)
    else if (!frame.isDetached()) lost += 1
  }

  const main = add(await readTree(session), session)
  const inner = page.frames().filter((frame) => frame !== page.mainFrame())
  await Promise.all(inner.slice(0, MAX_ASKED).map(addRemote))
  for (const [document, parent] of parents) documents.get(parent)?.children.push(document)
  return {
    main,
    lost,
    close() {
      const [, ...remote] = sessions
      session.send('Runtime.releaseObjectGroup', { objectGroup: OBJECT_GROUP }).catch(() => undefined)
      for (const own of remote) own.detach().catch(() => undefined)
    },
  }
}

const isErrorPage = (url: string): boolean => url.startsWith('chrome-error:')

async function readTree(session: CDPSession) {
  return (await session.send('Page.getFrameTree')).frameTree
}

/** A value or an object that is passed to a function in the browser. */
type Argument = { readonly value: unknown } | { readonly objectId: string }

class ProtocolDocument implements FrameDocument {
  readonly children: ProtocolDocument[] = []
  readonly id: string
  readonly missing: FrameDocument['missing']
  readonly #session: CDPSession
  readonly #worldName: string
  #opening: Promise<number> | undefined

  constructor(
    id: string,
    session: CDPSession,
    { worldName, missing }: { readonly worldName: string; readonly missing?: FrameDocument['missing'] },
  ) {
    this.id = id
    this.missing = missing
    this.#session = session
    this.#worldName = worldName
  }

  async findElement(child: ProtocolDocument): Promise<FrameElement | undefined> {
    const session = this.#session
    const executionContextId = await this.#open()
    try {
      const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: child.id })
      const shared = { executionContextId, objectGroup: OBJECT_GROUP }
      const { object } = await session.send('DOM.resolveNode', { backendNodeId, ...shared })
      if (object.objectId === undefined) return undefined
      const { model } = await session.send('DOM.getBoxModel', { objectId: object.objectId })
      return { objectId: object.objectId, width: model.width, height: model.height }
    } catch {
      return undefined
    }
  }

  async serialize(question: SerializeQuestion, marked: readonly MarkedElement[]): Promise<unknown> {
    const value = { ...question, marks: marked.map(({ mark }) => mark) }
    const elements = marked.map(({ element: { objectId } }) => ({ objectId }))
    return await this.#call('serializeAndKeep', { value }, ...elements)
  }

  readKept(piece: HtmlPiece): Promise<unknown> {
    return this.#call('readKeptHtml', { value: piece })
  }

  async #call(name: 'serializeAndKeep' | 'readKeptHtml', ...values: readonly Argument[]): Promise<unknown> {
    return readAnswer(
      await this.#session.send('Runtime.callFunctionOn', {
        functionDeclaration: String(pageFunction(name)),
        arguments: [...values],
        executionContextId: await this.#open(),
        returnByValue: true,
      }),
    )
  }

  async #open(): Promise<number> {
    const options = { frameId: this.id, worldName: this.#worldName }
    this.#opening ??= this.#session
      .send('Page.createIsolatedWorld', options)
      .then(({ executionContextId }) => executionContextId)
    return await this.#opening
  }
}
