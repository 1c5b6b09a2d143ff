import type { PdfFile } from './load-pdf.js'
import { type LibraryPort, linkPorts } from './library-port.js'

interface Worker {
  destroy(): void
}

/** What is used of the library. */
interface Library {
  getDocument(options: object): { readonly promise: Promise<PdfFile>; destroy(): Promise<void> }
  readonly PDFWorker: {
    create(options: { port: LibraryPort; verbosity: number }): Worker
    readonly _setupFakeWorkerGlobal: Promise<unknown>
  }
  readonly OPS: Readonly<Record<string, number>>
  readonly FeatureTest: { readonly platform: unknown }
}

/** The half of the library that reads files. */
interface Reader {
  initializeFromPort(port: LibraryPort): void
}

/** The library, ready to open files. */
export interface OpenLibrary {
  readonly operations: Library['OPS']
  /** @param options what the library is told beside how its halves speak with each other */
  open(options: object): { readonly promise: Promise<PdfFile>; destroy(): Promise<void> }
}

let opening: Promise<OpenLibrary> | undefined

/** Loads the library, once. */
export const openLibrary = (): Promise<OpenLibrary> => (opening ??= load())

async function load(): Promise<OpenLibrary> {
  addTransfer()
  const before = new Set(Reflect.ownKeys(globalThis))
  const library = (await import('unpdf/pdfjs')) as unknown as Library
  const { WorkerMessageHandler: reader } = (globalThis as unknown as { pdfjsWorker: { WorkerMessageHandler: Reader } })
    .pdfjsWorker
  // Asked once, it remembers, for a host that uses the library as well: what it looks at goes.
  await library.PDFWorker._setupFakeWorkerGlobal
  void library.FeatureTest.platform
  tidy(before)
  return {
    operations: library.OPS,
    open(options) {
      const [near, far] = linkPorts()
      reader.initializeFromPort(far)
      const worker = library.PDFWorker.create({ port: near, verbosity: 0 })
      const task = library.getDocument({ ...options, worker, verbosity: 0 })
      return {
        promise: task.promise,
        async destroy() {
          await task.destroy()
          worker.destroy()
        },
      }
    },
  }
}

/** What the library leaves on the thread that loads it, which is not everybody's to see. */
const LEFT = ['pdfjsLib', 'pdfjsWorker', '_pdfjsTestingUtils', 'DOMMatrix', 'navigator']

/** Takes away what the library brought along, but for methods of the standard that this Node lacks, which it goes on calling. */
function tidy(before: ReadonlySet<PropertyKey>): void {
  for (const name of LEFT) if (!before.has(name)) Reflect.deleteProperty(globalThis, name)
  for (const [owner, name] of [
    [Promise, 'try'],
    [Promise, 'withResolvers'],
    [Math, 'sumPrecise'],
  ] as const)
    Object.defineProperty(owner, name, { enumerable: false })
}

/** The library needs a method of ES2024 to tell about fonts and drawings, which Node has from version 21 on, and brings no stand-in for it. */
function addTransfer(): void {
  if ('transferToFixedLength' in ArrayBuffer.prototype) return
  // oxlint-disable-next-line no-extend-native -- a method of the standard, where it is missing
  Object.defineProperty(ArrayBuffer.prototype, 'transferToFixedLength', {
    configurable: true,
    writable: true,
    value(this: ArrayBuffer, length = this.byteLength): ArrayBuffer {
      const moved = structuredClone(this, { transfer: [this] })
      if (length === moved.byteLength) return moved
      const sized = new Uint8Array(length)
      sized.set(new Uint8Array(moved, 0, Math.min(length, moved.byteLength)))
      return sized.buffer
    },
  })
}
