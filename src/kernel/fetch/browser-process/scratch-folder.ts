import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Minimum free space in shared memory: the pages of a few browsers share it, including screenshots of long pages.
 * Bytes.
 */
const MIN_FREE_BYTES = 2 ** 30
const PREFIX = 'trawl-browser-'

/**
 * Creates a folder for a browser's temporary files: in shared memory if that has room, because most of them are memory
 * shared by the browser's processes, of which each page leaks some. On a disk a browser takes a tenth longer.
 * Containers often have 64 MiB of shared memory, and a page that exhausts it crashes.
 */
export async function createScratchFolder(memory = '/dev/shm'): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(memory)
    if (bavail * bsize >= MIN_FREE_BYTES) return await mkdtemp(join(memory, PREFIX))
  } catch {
    // Shared memory is missing or not accessible.
  }
  return await mkdtemp(join(tmpdir(), PREFIX))
}
