import type { CDPSession, Response } from 'playwright'
import { isHtmlType } from '../../../base/http/header-values.js'
import { isSuccessStatus } from '../../../base/http/statuses.js'
import { isWebUrl, parseUrl, withoutCredentials, withoutFragment } from '../../../base/url.js'
import type { DocumentWatch } from '../page/document-watch.js'
import type { LeftPage } from '../../../kernel/fetch/fetched-page.js'
import { MAX_READ, readLeftPage } from '../../../kernel/fetch/http/left-page.js'

/** The documents that a page of the browser left by itself for another one. */
export interface LeftDocuments {
  /** True while what is done to the page may be why it goes to another document. */
  isActing: boolean
  /** Awaits the sources that were asked for, and asks for those of which none is known. */
  settle(): Promise<void>
  /** Reads the links of the documents that were left; one whose source is not known is cut. */
  read(documents: DocumentWatch): LeftPage[]
}

/**
 * Size of what the browser keeps of the responses of a page, as they were sent, and of one of them. The oldest go first.
 * Bytes.
 */
const MAX_KEPT = 8 * 1024 * 1024
const MAX_RESPONSE = 2 * 1024 * 1024
/**
 * Bytes received behind a document after which its source is read. Far fewer than the browser keeps: on a busy machine, what tells of
 * them comes late.
 */
const EARLY_READ = MAX_KEPT / 8
/** Size after decompression up to which a source is read. Bytes. */
const MAX_SOURCE = 4 * 1024 * 1024
/** Maximum number of documents that are watched. */
const MAX_DOCUMENTS = 50

interface WatchedDocument {
  readonly id: string
  url: string
  /** Size so far after decompression, and as it was sent. Bytes. */
  size: number
  wireSize: number
  isReceived: boolean
  /** Set once it has a successor that it did not go to because of an action. */
  isLeft: boolean
  headers: Readonly<Record<string, string>>
  asking?: Promise<void>
  source?: Uint8Array
}

/**
 * Watches the documents of a page's main frame, so that the links of one that is left by itself are known: the browser
 * drops its source with it. Browsers that cannot keep it give none.
 *
 * @param session of the page itself, with network events enabled
 */
export function watchLeftDocuments(session: CDPSession): LeftDocuments {
  const known: WatchedDocument[] = []
  let mainFrame: string | undefined
  let receivedBehind = 0
  const latest = (): WatchedDocument | undefined => known.at(-1)
  const find = (id: string): WatchedDocument | undefined => known.findLast((one) => one.id === id)
  // Older browsers do not know the command.
  session
    .send('Network.configureDurableMessages', { maxTotalBufferSize: MAX_KEPT, maxResourceBufferSize: MAX_RESPONSE })
    .catch(() => undefined)
  session.on('Network.requestWillBeSent', ({ requestId, type, frameId, request }) => {
    if (type !== 'Document') return
    mainFrame ??= frameId
    if (frameId !== mainFrame) return
    const redirected = find(requestId)
    if (redirected) redirected.url = request.url
    if (redirected || known.length >= MAX_DOCUMENTS) return
    const before = latest()
    if (before) before.isLeft = !left.isActing
    receivedBehind = 0
    known.push({ id: requestId, url: request.url, size: 0, wireSize: 0, isReceived: false, isLeft: false, headers: {} })
    askForLeft()
  })
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    const document = type === 'Document' ? find(requestId) : undefined
    if (!document) return
    document.headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    askForLeft()
  })
  session.on('Network.dataReceived', ({ requestId, dataLength, encodedDataLength }) => {
    const document = latest()
    if (document?.id !== requestId) receivedBehind += encodedDataLength
    const received = document?.id === requestId ? document : find(requestId)
    if (!received) return
    received.size += dataLength
    received.wireSize += encodedDataLength
  })
  session.on('Network.loadingFinished', ({ requestId }) => {
    const document = find(requestId)
    if (document) {
      document.isReceived = true
      askForLeft()
    }
    if (receivedBehind <= EARLY_READ || !latest()?.isReceived) return
    receivedBehind = Number.NEGATIVE_INFINITY
    void ask(latest())
  })
  session.on('Network.loadingFailed', ({ requestId }) => {
    if (find(requestId)) askForLeft()
  })

  function askForLeft(): void {
    for (const one of known) if (one.isLeft) void ask(one)
  }

  async function ask(document: WatchedDocument | undefined): Promise<void> {
    if (!document || document.source || !isBounded(document)) return
    document.asking ??= readSource(session, document).finally(() => (document.asking = undefined))
    await document.asking
  }

  const left: LeftDocuments = {
    isActing: false,
    settle: async () => {
      for (const one of known) {
        if (!one.isLeft) continue
        await one.asking
        await ask(one)
      }
    },
    read: (documents) => readLeft(documents, known),
  }
  return left
}

async function readSource(session: CDPSession, document: WatchedDocument): Promise<void> {
  try {
    const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId: document.id })
    document.source = Buffer.from(body, base64Encoded ? 'base64' : 'utf8').subarray(0, MAX_READ)
  } catch {
    // It is not received to its end yet, or was cut off.
  }
}

/**
 * Tests for a source that cannot be too large. The browser keeps the compressed one, of which it may keep more than it has
 * decompressed for the page.
 */
function isBounded({ size, wireSize, isReceived, headers }: WatchedDocument): boolean {
  const isPlain = headers['content-encoding'] === undefined
  return size <= MAX_SOURCE && (isPlain || isReceived || headers['content-length'] === String(wireSize))
}

function readLeft(
  { answers, failed }: Parameters<LeftDocuments['read']>[0],
  known: readonly WatchedDocument[],
): LeftPage[] {
  const unclaimed = [...known]
  return answers.flatMap((answer, index): LeftPage[] => {
    if (answer.request().redirectedTo()) return []
    const at = unclaimed.findIndex((one) => isSame(one.url, answer.url()))
    const [document] = at === -1 ? [] : unclaimed.splice(0, at + 1).slice(-1)
    const target = answers[index + 1]?.url() ?? failed?.url
    if (!document?.isLeft || target === undefined || !isPage(answer)) return []
    const url = withoutCredentials(new URL(answer.url()))
    const next = parseUrl(target)
    // A page that loads itself again is the page.
    if (!next || isSame(url.href, next.href)) return []
    if (!document.source) return [{ links: [], metadata: {}, isCut: true }]
    const page = readLeftPage(url, { headers: document.headers, body: document.source }, next)
    return page ? [page] : []
  })
}

const isPage = (answer: Response): boolean =>
  isSuccessStatus(answer.status()) && isWebUrl(new URL(answer.url())) && isHtmlType(answer.headers()['content-type'])

const isSame = (one: string, other: string): boolean => bare(one) === bare(other)

function bare(href: string): string {
  const url = parseUrl(href)
  return url ? withoutFragment(withoutCredentials(url)).href : href
}
