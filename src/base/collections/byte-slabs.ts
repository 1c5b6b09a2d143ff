/** Share of the closed slabs that must be in use; with less, what is left of the emptiest one is moved. */
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
  /** Length of what the closed slabs contain, and of what is needed of it. Bytes. */
  #closedBytes = 0
  #neededBytes = 0
  #isTidying = false

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
    const part = { slab, bytes: this.#write(slab, bytes) }
    slab.parts.add(part)
    return part
  }

  /** Frees the bytes. Views of them stay valid: a slab is never written twice. */
  remove(part: SlabPart): void {
    const { slab } = part as PlacedPart
    if (!slab.parts.delete(part)) return
    slab.needed -= part.bytes.length
    if (slab === this.#open) return
    this.#neededBytes -= part.bytes.length
    if (slab.needed === 0) this.#free(slab)
    this.#tidy()
  }

  #slabFor(length: number): Slab {
    if (length >= this.#slabBytes * ALONE) return this.#create(length)
    const open = this.#open
    if (open && open.written + length <= open.bytes.length) return open
    this.#open = this.#create(this.#slabBytes)
    if (open) this.#close(open)
    // Parts of other slabs may have been moved to the new one.
    return this.#slabFor(length)
  }

  #close(slab: Slab): void {
    this.#closedBytes += slab.written
    this.#neededBytes += slab.needed
    if (slab.needed === 0) this.#free(slab)
    this.#tidy()
  }

  #free(slab: Slab): void {
    // An empty part may be removed after its slab was freed.
    if (!this.#slabs.delete(slab)) return
    this.#closedBytes -= slab.written
    this.#neededBytes -= slab.needed
  }

  #create(length: number): Slab {
    // A buffer that can be resized has pages of memory of its own, and takes those that were written.
    const buffer = new ResizableBuffer(length, { maxByteLength: length })
    const slab = { bytes: new Uint8Array(buffer), written: 0, needed: 0, parts: new Set<SlabPart>() }
    this.#slabs.add(slab)
    return slab
  }

  /**
   * Frees the emptiest slabs while too little of all of them is needed. Not each slab by itself: bytes are mostly removed in
   * the order in which they were added, and a slab that is left alone is soon empty.
   */
  #tidy(): void {
    // Moving bytes may close the slab that they are moved to.
    if (this.#isTidying) return
    this.#isTidying = true
    while (this.#neededBytes < this.#closedBytes * MIN_USED) {
      const slab = this.#findEmptiest()
      if (!slab) break
      this.#free(slab)
      for (const part of slab.parts as Set<PlacedPart>) {
        part.slab = this.#slabFor(part.bytes.length)
        part.bytes = this.#write(part.slab, part.bytes)
        part.slab.parts.add(part)
      }
      slab.parts.clear()
    }
    this.#isTidying = false
  }

  #findEmptiest(): Slab | undefined {
    let found: Slab | undefined
    for (const slab of this.#slabs) {
      if (slab === this.#open) continue
      if (!found || slab.needed * found.written < found.needed * slab.written) found = slab
    }
    return found
  }

  #write(slab: Slab, bytes: Uint8Array): Uint8Array {
    const { length } = bytes
    const place = slab.bytes.subarray(slab.written, slab.written + length)
    place.set(bytes)
    slab.written += length
    slab.needed += length
    if (slab !== this.#open) {
      this.#closedBytes += length
      this.#neededBytes += length
    }
    return place
  }
}
