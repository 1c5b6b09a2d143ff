/** Share of a closed slab that must be in use; what is left of one with less is moved. */
const MIN_USED = 9 / 10
/** Share of a slab from which on bytes have a slab of their own. */
const ALONE = 1 / 4

/** Buffers that can be resized, which the types of Node 20 do not have. */
const ResizableBuffer: new (length: number, options: { maxByteLength: number }) => ArrayBuffer = ArrayBuffer

interface Slab {
  readonly bytes: Uint8Array
  /** Length of what was written. Bytes. */
  written: number
  /** Length of what is still needed. Bytes. */
  needed: number
  readonly parts: Set<SlabPart>
}

/** Bytes in a slab. */
export interface SlabPart {
  /** They are moved when much of their slab is no longer needed: to be read anew for each use. */
  readonly bytes: Uint8Array
}

interface PlacedPart extends SlabPart {
  bytes: Uint8Array
  slab: Slab
}

/**
 * Keeps bytes for long in a few large buffers. Each in a buffer of its own, they would lie between the many buffers that
 * live for one page: the C library of Linux keeps a region of memory for itself while one buffer in it is in use.
 */
export class ByteSlabs {
  readonly #slabBytes: number
  readonly #slabs = new Set<Slab>()
  #open: Slab | undefined

  /** @param slabBytes size of a slab. Bytes */
  constructor(slabBytes: number) {
    this.#slabBytes = slabBytes
  }

  /** Length of what the slabs contain, needed or not. Bytes. */
  get heldBytes(): number {
    let held = 0
    for (const { written } of this.#slabs) held += written
    return held
  }

  /** Copies bytes into a slab. */
  add(bytes: Uint8Array): SlabPart {
    const slab = this.#slabFor(bytes.length)
    const part = { slab, bytes: write(slab, bytes) }
    slab.parts.add(part)
    return part
  }

  /** Frees the bytes. Views of them stay valid: a slab is never written twice. */
  remove(part: SlabPart): void {
    const { slab } = part as PlacedPart
    if (!slab.parts.delete(part)) return
    slab.needed -= part.bytes.length
    this.#tidy(slab)
  }

  #slabFor(length: number): Slab {
    if (length >= this.#slabBytes * ALONE) return this.#create(length)
    const open = this.#open
    if (open && open.written + length <= open.bytes.length) return open
    this.#open = this.#create(this.#slabBytes)
    if (open) this.#tidy(open)
    // Parts of the slab before may have been moved to the new one.
    return this.#slabFor(length)
  }

  #create(length: number): Slab {
    // A buffer that can be resized has pages of memory of its own, and takes those that were written.
    const buffer = new ResizableBuffer(length, { maxByteLength: length })
    const slab = { bytes: new Uint8Array(buffer), written: 0, needed: 0, parts: new Set<SlabPart>() }
    this.#slabs.add(slab)
    return slab
  }

  /** Frees a slab that takes no more, and of which much is not needed. */
  #tidy(slab: Slab): void {
    if (slab === this.#open || slab.needed > slab.written * MIN_USED) return
    this.#slabs.delete(slab)
    for (const part of slab.parts as Set<PlacedPart>) {
      part.slab = this.#slabFor(part.bytes.length)
      part.bytes = write(part.slab, part.bytes)
      part.slab.parts.add(part)
    }
    slab.parts.clear()
  }
}

function write(slab: Slab, bytes: Uint8Array): Uint8Array {
  const place = slab.bytes.subarray(slab.written, slab.written + bytes.length)
  place.set(bytes)
  slab.written += bytes.length
  slab.needed += bytes.length
  return place
}
