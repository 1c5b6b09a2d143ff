import { type LibraryPort, linkPorts } from './library-port.js'

/** File that is being opened. */
export interface OpeningFile {
  /** Resolves with the library's document. */
  readonly promise: Promise<unknown>
  /** Number of its pages that were truncated because they exceeded the limits. */
  readonly cuts: () => number
  destroy(): Promise<void>
}

interface Worker {
  destroy(): void
}

/** Used part of the library. */
interface Library {
  getDocument(options: object): Omit<OpeningFile, 'cuts'>
  readonly PDFWorker: {
    create(options: { port: LibraryPort; verbosity: number }): Worker
    /** Cached reading half of the library. */
    readonly _setupFakeWorkerGlobal: Promise<Reader>
  }
  readonly OPS: Readonly<Record<string, number>>
  readonly FeatureTest: { readonly platform: unknown }
}

/** Reading half of the library. */
interface Reader {
  initializeFromPort(port: LibraryPort): void
}

/** Loaded library. */
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
  // Both are requested before the globals are removed, so that a host that uses the library itself is not disturbed.
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

/** Globals that the library defines on load. */
const LEFT = ['pdfjsLib', 'pdfjsWorker', '_pdfjsTestingUtils', 'DOMMatrix', 'navigator']

type Left = readonly (readonly [name: string, was: PropertyDescriptor | undefined])[]

/** Removes the library's globals, except polyfills of standard methods, which it keeps calling. */
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

/**
 * Adds `ArrayBuffer.prototype.transferToFixedLength` (ES2024, Node 21), which the library needs for fonts and drawings
 * and does not polyfill.
 */
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
