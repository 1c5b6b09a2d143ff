import { type LibraryPort, linkPorts } from './library-port.js'

/** A file that is being opened. */
export interface OpeningFile {
  /** The file, as the library has it. */
  readonly promise: Promise<unknown>
  /** How many pages of it were cut off because they came to too much. */
  readonly cuts: () => number
  destroy(): Promise<void>
}

interface Worker {
  destroy(): void
}

/** What is used of the library. */
interface Library {
  getDocument(options: object): Omit<OpeningFile, 'cuts'>
  readonly PDFWorker: {
    create(options: { port: LibraryPort; verbosity: number }): Worker
    /** The half of it that reads files, which it remembers. */
    readonly _setupFakeWorkerGlobal: Promise<Reader>
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
  open(options: object): OpeningFile
}

let opening: Promise<OpenLibrary> | undefined

/** Loads the library, once. */
export const openLibrary = (): Promise<OpenLibrary> => (opening ??= load())

async function load(): Promise<OpenLibrary> {
  addTransfer()
  const before = LEFT.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  const library = (await import('unpdf/pdfjs')) as unknown as Library
  // Both asked before what they look at goes: a host that uses the library as well finds it whole.
  // oxlint-disable-next-line no-underscore-dangle -- its name: whoever else tidied up has left this alone to find it by
  const reader = await library.PDFWorker._setupFakeWorkerGlobal
  void library.FeatureTest.platform
  tidy(before)
  return {
    operations: library.OPS,
    open(options) {
      const { near, far, cuts } = linkPorts()
      reader.initializeFromPort(far)
      const worker = library.PDFWorker.create({ port: near, verbosity: 0 })
      const task = library.getDocument({ ...options, worker, verbosity: 0 })
      return {
        promise: task.promise,
        cuts,
        async destroy() {
          try {
            await task.destroy()
          } finally {
            worker.destroy()
          }
        },
      }
    },
  }
}

/** What the library puts on the thread that loads it, for everybody to see. */
const LEFT = ['pdfjsLib', 'pdfjsWorker', '_pdfjsTestingUtils', 'DOMMatrix', 'navigator']

type Left = readonly (readonly [name: string, was: PropertyDescriptor | undefined])[]

/** Takes away what the library brought along, but for methods of the standard that this Node lacks, which it goes on calling. */
function tidy(before: Left): void {
  for (const [name, was] of before) {
    if (was === undefined) Reflect.deleteProperty(globalThis, name)
    else Object.defineProperty(globalThis, name, was)
  }
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
