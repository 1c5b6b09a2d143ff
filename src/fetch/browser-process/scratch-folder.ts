import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What the pages of a few browsers may share at once, pictures of long pages included. Bytes. */
const MIN_FREE_BYTES = 2 ** 30
const PREFIX = 'trawl-browser-'

/**
 * Makes a folder for a browser's files of the moment: in the system's memory where that has room, as most of them are the
 * memory that the browser's processes share, of which each page leaves some. On a disk a browser has a tenth more to do.
 * Containers often have 64 MiB there, and a page that finds none left crashes.
 */
export async function createScratchFolder(memory = '/dev/shm'): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(memory)
    if (bavail * bsize >= MIN_FREE_BYTES) return await mkdtemp(join(memory, PREFIX))
  } catch {
    // There is none, or it is not for this process.
  }
  return await mkdtemp(join(tmpdir(), PREFIX))
}
