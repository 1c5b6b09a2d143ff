import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Collects the licence notices of the bundled libraries, which their licences require.
 *
 * @param moduleIds paths of all bundled modules
 */
export function findNotices(moduleIds) {
  const folders = [...new Set(moduleIds.flatMap((id) => folderOf(id) ?? []))]
  const notices = new Map(folders.map((folder) => readNotice(folder)))
  const sorted = [...notices].sort(([one], [other]) => (one < other ? -1 : 1))
  const head = 'The files of this folder contain code of these packages, under these licences:\n\n'
  return head + sorted.map(([name, text]) => `${'='.repeat(80)}\n${name}\n\n${text.trim()}\n`).join('\n')
}

/** Returns the folder of the innermost package that contains a module. */
function folderOf(id) {
  const [, folder] = /^\0?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/')) ?? []
  return folder
}

function readNotice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
  if (license === undefined && files.length === 0) throw new Error(`${name} ${version} states no licence`)
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8'))
  return [`${name} ${version}`, [`Licence: ${license ?? 'see below'}`, ...texts].join('\n\n')]
}
