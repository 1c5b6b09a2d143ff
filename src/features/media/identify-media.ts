import { listBoxes } from './mp4-boxes.js'
import type { MediaType } from '../../base/media/media-types.js'
import { ownValue } from '../../base/collections/own-value.js'

/** Type of a file: audio or video, `playlist` for a list of its segments, undefined for anything else. */
type MediaFinding = MediaType | 'playlist' | undefined

/** Identifies a file by its bytes alone; the `Content-Type` of a media file is not reliable. */
export function identifyMedia(given: Uint8Array): MediaFinding {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  for (const { at, start, type } of SIGNATURES) {
    if (!bytes.subarray(at, at + start.length).equals(start)) continue
    return typeof type === 'function' ? type(bytes) : type
  }
  return readFrame(bytes, 0) ?? (isTransportStream(bytes) ? 'video/mp2t' : undefined)
}

/** A signature at the start of a file. */
interface Signature {
  readonly at: number
  readonly start: Buffer
  readonly type: MediaFinding | ((bytes: Buffer) => MediaFinding)
}

const signature = (text: string, type: Signature['type'], at = 0): Signature => ({
  at,
  start: Buffer.from(text, 'latin1'),
  type,
})

const SIGNATURES: readonly Signature[] = [
  signature('ID3', readAfterId3Tag),
  signature('fLaC', 'audio/flac'),
  signature('OggS', (bytes) =>
    bytes.subarray(0, 4096).includes('\x80theora', 0, 'latin1') ? 'video/ogg' : 'audio/ogg',
  ),
  signature('RIFF', (bytes) => ownValue(RIFF, bytes.toString('latin1', 8, 12))),
  signature('RF64', 'audio/wav'),
  signature('FORM', (bytes) => (/^AIF[FC]$/.test(bytes.toString('latin1', 8, 12)) ? 'audio/aiff' : undefined)),
  signature('#!AMR', 'audio/amr'),
  signature('ftyp', readMp4, 4),
  // Old QuickTime files have no brand.
  signature('moov', readMp4, 4),
  signature('mdat', readMp4, 4),
  signature('\x1a\x45\xdf\xa3', readMatroska),
  signature('FLV\x01', 'video/x-flv'),
  signature('\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'video/x-ms-asf'),
  signature('\0\0\x01\xba', 'video/mpeg'),
  signature('#EXTM3U', 'playlist'),
  signature('\xef\xbb\xbf#EXTM3U', 'playlist'),
  signature('<', readXml),
]

const RIFF: Readonly<Record<string, MediaType>> = { WAVE: 'audio/wav', 'AVI ': 'video/x-msvideo' }

/** Identifies the audio after an ID3 tag, whose length is stored in digits of seven bits. @see ID3v2.4.0 section 3.1 */
function readAfterId3Tag(bytes: Buffer): MediaFinding {
  const [flags = 255, ...digits] = bytes.subarray(5, 10)
  if (digits.length < 4 || (flags & 0x0f) !== 0 || digits.some((digit) => digit > 127)) return undefined
  const end = 10 + digits.reduce((sum, digit) => sum * 128 + digit, 0)
  if (bytes.subarray(end, end + 4).toString('latin1') === 'fLaC') return 'audio/flac'
  return readFrame(bytes, end) ?? 'audio/mpeg'
}

/** Identifies a frame header: MPEG audio of layer II or III, or AAC. @see ISO/IEC 11172-3 section 2.4.1.3 */
function readFrame(bytes: Buffer, at: number): MediaFinding {
  const [sync = 0, kind = 0, rates = 255] = bytes.subarray(at, at + 3)
  if (sync !== 0xff || (kind & 0xe0) !== 0xe0) return undefined
  if ((kind & 0xf6) === 0xf0) return 'audio/aac'
  const layer = (kind >> 1) & 3
  const isAudio = (kind & 0x18) !== 0x08 && (layer === 1 || layer === 2) && rates >> 4 !== 15 && (rates & 0x0c) !== 0x0c
  return isAudio ? 'audio/mpeg' : undefined
}

/** Identifies an MP4 file by its tracks; without an index, by its brand. */
function readMp4(bytes: Buffer): MediaFinding {
  const brand = bytes.toString('latin1', 4, 8) === 'ftyp' ? bytes.toString('latin1', 8, 12) : 'qt  '
  const index = listBoxes(bytes).find(({ type }) => type === 'moov')
  const tracks = index ? readHandlers(bytes.subarray(index.body, index.end)) : new Set<string>()
  // Image formats such as AVIF and HEIC use the same container.
  if (/^(?:avif|avis|heic|heix|heif|mif1|msf1|crx )$/.test(brand) && !tracks.has('vide')) return undefined
  const isAudio = tracks.size > 0 ? tracks.has('soun') && !tracks.has('vide') : /^M4[AB] $/.test(brand)
  if (isAudio) return 'audio/mp4'
  return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4'
}

/** Maximum track handlers to read; no video has more. */
const MAX_HANDLERS = 256

function readHandlers(index: Buffer): Set<string> {
  const found = new Set<string>()
  for (let at = index.indexOf('hdlr'), seen = 0; at !== -1 && seen < MAX_HANDLERS; seen++) {
    found.add(index.toString('latin1', at + 12, at + 16))
    at = index.indexOf('hdlr', at + 4)
  }
  return found
}

/** Identifies a Matroska file by its codec names, which precede the data. @see RFC 9559 */
function readMatroska(bytes: Buffer): MediaFinding {
  const start = bytes.subarray(0, 65_536).toString('latin1')
  const isWeb = start.slice(0, 128).includes('webm')
  if (!isWeb && !start.slice(0, 128).includes('matroska')) return undefined
  if (/A_(?:OPUS|VORBIS|AAC|FLAC|MPEG|PCM|AC3)/.test(start) && !/V_[A-Z]/.test(start)) return 'audio/webm'
  return isWeb ? 'video/webm' : 'video/x-matroska'
}

function readXml(bytes: Buffer): MediaFinding {
  const start = bytes.toString('latin1', 0, 2048)
  return /^<(?:\?xml[^>]*>\s*(?:<!--[^]*?-->\s*)?<)?(?:\w+:)?MPD[\s>]/.test(start) ? 'playlist' : undefined
}

const PACKET_BYTES = 188

/** Returns true if packets of 188 bytes all begin with the sync byte. @see ISO/IEC 13818-1 section 2.4.3.2 */
const isTransportStream = (bytes: Buffer): boolean =>
  bytes.length >= PACKET_BYTES * 2 && [0, 1, 2].every((n) => (bytes[n * PACKET_BYTES] ?? 0x47) === 0x47)
