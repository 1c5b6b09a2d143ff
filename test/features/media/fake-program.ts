import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** Scripts that replace programs of the machine, in a folder that is removed after each test. */
export interface FakePrograms {
  /** Writes a script, which finds the folder in `$here`; returns its path. */
  make(script: string): Promise<string>
  /** Content of a file that a script wrote beside itself. */
  read(name: string): Promise<string>
}

export function useFakePrograms(): FakePrograms {
  let folder: string
  let count = 0

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trawl-programs-'))
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
  })

  return {
    async make(script) {
      const path = join(folder, `program-${count++}`)
      await writeFile(path, `#!/bin/sh\nhere='${folder}'\n${script}\n`)
      await chmod(path, 0o755)
      return path
    },
    read: (name) => readFile(join(folder, name), 'utf8'),
  }
}

/** Returns true for a running process, but not for a zombie. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
  if (stat !== undefined) return !/^\d+ \(.*\) [ZX]/s.test(stat)
  try {
    return process.platform !== 'linux' && process.kill(pid, 0)
  } catch {
    return false
  }
}
