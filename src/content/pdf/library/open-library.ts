import { type LibraryPort, linkPorts } from './library-port.js'

/** A file that is opened. */
interface FileToOpen {
  /** Resolves with the library's document. */
  readonly promise: Promise<unknown>
  destroy(): Promise<void>
}

/** File that is being opened. */
export interface OpeningFile extends FileToOpen {
  /** Returns the number of page streams that were ended because a page exceeded the limits. */
  readonly endedStreams: () => number
}

interface Worker {
  destroy(): void
}

/** Used part of the library. */
interface Library {
  getDocument(options: object): FileToOpen
  readonly PDFWorker: {
    create(options: { port: LibraryPort; verbosity: number }): Worker
    /** Resolves with the worker half of the library, loaded into this thread. */
    readonly _setupFakeWorkerGlobal: Promise<Reader>
  }
  readonly OPS: Readonly<Record<string, number>>
  readonly FeatureTest: { readonly platform: unknown }
}

/** Worker half of the library, which reads the file. */
interface Reader {
  initializeFromPort(port: LibraryPort): void
}

/** Loaded library. */
export interface OpenLibrary {
  readonly operations: Library['OPS']
  /** @param options arguments of `getDocument()`, without those for the channel between the halves */
  open(options: object): OpeningFile
}

let opening: Promise<OpenLibrary> | undefined

/** Loads the library, once. */
export const openLibrary = (): Promise<OpenLibrary> => (opening ??= load())

async function load(): Promise<OpenLibrary> {
  addTransfer()
  const before = LIBRARY_GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  const library = (await import('unpdf/pdfjs')) as unknown as Library
  // The library caches both on first access. Afterwards it no longer needs the globals, which a host may use for its
  // own copy.
  // oxlint-disable-next-line no-underscore-dangle -- the name in the library
  const reader = await library.PDFWorker._setupFakeWorkerGlobal
  void library.FeatureTest.platform
  restoreGlobals(before)
  return {
    operations: library.OPS,
    open(options) {
      const { near, far, endedStreams } = linkPorts()
      reader.initializeFromPort(far)
      const worker = library.PDFWorker.create({ port: near, verbosity: 0 })
      const task = library.getDocument({ ...options, worker, verbosity: 0 })
      return {
        promise: task.promise,
        endedStreams,
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
const LIBRARY_GLOBALS = ['pdfjsLib', 'pdfjsWorker', '_pdfjsTestingUtils', 'DOMMatrix', 'navigator']

type SavedGlobals = readonly (readonly [name: string, was: PropertyDescriptor | undefined])[]

/**
 * Restores the globals that the library replaced. Its polyfills of standard methods stay, because it calls them later;
 * they are made non-enumerable.
 */
function restoreGlobals(before: SavedGlobals): void {
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
  // oxlint-disable-next-line no-extend-native -- a standard method, added only if it is missing
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
