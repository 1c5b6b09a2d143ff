import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Lists the packages that are bundled, sorted by name and version.
 *
 * @param moduleIds paths of all bundled modules
 */
export function findPackages(moduleIds) {
  const folders = [...new Set(moduleIds.flatMap((id) => folderOf(id) ?? []))]
  const packages = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { name, version, license, folder }
  })
  const keyOf = ({ name, version }) => `${name} ${version}`
  return [...new Map(packages.map((one) => [keyOf(one), one])).values()].sort((one, other) =>
    keyOf(one) < keyOf(other) ? -1 : 1,
  )
}

/** Writes the licence notices of bundled packages, which their licences require. */
export function writeNotices(packages) {
  const head = 'The files of this folder contain code of these packages, under these licences:\n\n'
  return head + packages.map((one) => `${'='.repeat(80)}\n${readNotice(one)}`).join('\n')
}

/**
 * Writes the bill of materials: the bundled packages, of which a scanner of dependencies sees nothing in `node_modules`.
 *
 * @param own name, version and licence of the package that contains them
 * @see https://cyclonedx.org/docs/1.6/json/
 */
export function writeBillOfMaterials(packages, own) {
  const describe = ({ name, version, license }, type) => ({
    type,
    'bom-ref': purlOf(name, version),
    name,
    version,
    ...(license && { licenses: [{ expression: license }] }),
    purl: purlOf(name, version),
  })
  const components = packages.map((one) => describe(one, 'library'))
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: describe(own, 'library') },
    components,
    dependencies: [{ ref: purlOf(own.name, own.version), dependsOn: components.map(({ purl }) => purl) }],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** @see https://github.com/package-url/purl-spec */
const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Returns the folder of the innermost package that contains a module. */
function folderOf(id) {
  const [, folder] = /^\0?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/')) ?? []
  return folder
}

function readNotice({ name, version, license, folder }) {
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
  if (license === undefined && files.length === 0) throw new Error(`${name} ${version} states no licence`)
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8'))
  const text = [`Licence: ${license ?? 'see below'}`, ...texts].join('\n\n')
  return `${name} ${version}\n\n${text.trim()}\n`
}
