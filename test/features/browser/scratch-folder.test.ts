import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createScratchFolder } from '../../../src/features/browser/process/launch-browser.js'

const memory = mkdtempSync(join(tmpdir(), 'memory-'))
const made: string[] = []
afterAll(() => {
  for (const folder of [memory, ...made]) rmSync(folder, { recursive: true, force: true })
})

describe("the folder for a browser's temporary files", () => {
  it('is in shared memory when there is room', async () => {
    const folder = await createScratchFolder(memory)
    made.push(folder)
    expect(dirname(folder)).toBe(memory)
  })

  it.each(['/proc', join(memory, 'none')])(
    'is in that of temporary files where nothing can be kept: %s',
    async (place) => {
      const folder = await createScratchFolder(place)
      made.push(folder)
      expect(dirname(folder)).toBe(tmpdir())
    },
  )
})
