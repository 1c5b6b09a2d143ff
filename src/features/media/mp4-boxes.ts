/** A box of an MP4 file: offsets of the box, of its content, and of its end. */
export interface Mp4Box {
  readonly type: string
  readonly start: number
  readonly body: number
  readonly end: number
}

/** Maximum boxes on one level; a fragmented file has two per second. */
const MAX_BOXES = 50_000

/**
 * Lists the complete boxes in a range of an MP4 file; the last one may be truncated.
 *
 * @see ISO/IEC 14496-12 section 4.2
 */
export function listBoxes(bytes: Buffer, from = 0, to = bytes.length): Mp4Box[] {
  const boxes: Mp4Box[] = []
  for (let start = from; start + 8 <= to && boxes.length < MAX_BOXES;) {
    const short = bytes.readUInt32BE(start)
    const isLong = short === 1 && start + 16 <= to
    const size = isLong ? Number(bytes.readBigUInt64BE(start + 8)) : short === 0 ? to - start : short
    const body = start + (isLong ? 16 : 8)
    if (size < body - start) break
    const end = Math.min(start + size, to)
    boxes.push({ type: bytes.toString('latin1', start + 4, start + 8), start, body, end })
    start = end
  }
  return boxes
}
