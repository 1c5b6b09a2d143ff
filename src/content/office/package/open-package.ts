import { brokenFile } from '../refusals.js'
import type { OfficeMetadata } from '../elements/create-element.js'
import {
  child,
  childrenNamed,
  MAX_NODES,
  readXml,
  type TreePlan,
  type XmlElement,
  type XmlTree,
  xmlText,
} from './xml.js'
import { openZip, type Zip } from './zip.js'

/** Relationship of a part to another part or to an external URL. */
export interface Relationship {
  /** Last segment of its type: `image`, `hyperlink`. */
  readonly type: string
  /** Path of a part, or an external URL. */
  readonly target: string
  readonly isExternal: boolean
}

/** Package of parts connected by relationships. @see ECMA-376 part 2 */
export interface OfficePackage {
  readonly zip: Zip
  /** Path of the main part. */
  readonly main: string
  /** Returns the relationships of a part by id. */
  relationsOf(part: string): ReadonlyMap<string, Relationship>
  /** Returns the path of the first related part of a type. */
  partOf(part: string, type: string): string | undefined
  /** Parses a part; undefined if it is missing. */
  read(part: string | undefined, plan?: TreePlan): XmlTree | undefined
  readonly metadata: OfficeMetadata
}

/** Maximum number of elements and texts of all parsed parts; a part that is parsed twice counts twice. */
const MAX_PACKAGE_NODES = 2 * MAX_NODES

/** @throws TrawlError `SCRAPE_FILE_BROKEN`, `SCRAPE_FILE_ENCRYPTED`, `SCRAPE_FILE_TOO_COMPLEX` */
export function openPackage(body: Uint8Array, mainParts: readonly string[]): OfficePackage {
  const zip = openZip(body)
  const known = new Map<string, ReadonlyMap<string, Relationship>>()
  let nodesLeft = MAX_PACKAGE_NODES
  const read = (part: string | undefined, plan?: TreePlan): XmlTree | undefined => {
    const bytes = part === undefined ? undefined : zip.read(part)
    if (bytes === undefined) return undefined
    const tree = readXml(bytes, { ...plan, maxNodes: Math.min(nodesLeft, plan?.maxNodes ?? MAX_NODES) })
    nodesLeft -= tree.nodes
    return tree
  }
  const relationsOf = (part: string): ReadonlyMap<string, Relationship> => {
    const found = known.get(part) ?? readRelations(part, read(relationsPath(part)))
    known.set(part, found)
    return found
  }
  const partOf = (part: string, type: string): string | undefined =>
    [...relationsOf(part).values()].find((relation) => relation.type === type && !relation.isExternal)?.target
  const main = [partOf('', 'officeDocument'), ...mainParts].find((path) => path !== undefined && zip.has(path))
  if (main === undefined) throw brokenFile('its main part is missing')
  const core = read(partOf('', 'core-properties') ?? 'docProps/core.xml')
  return { zip, main, relationsOf, partOf, read, metadata: readCoreProperties(core?.root) }
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

const relationsPath = (part: string): string => `${folderOf(part)}_rels/${part.slice(folderOf(part).length)}.rels`

function readRelations(part: string, tree: XmlTree | undefined): ReadonlyMap<string, Relationship> {
  return new Map(
    childrenNamed(tree?.root, 'rel:Relationship').map(({ attributes }) => {
      const isExternal = attributes['TargetMode'] === 'External'
      const target = attributes['Target'] ?? ''
      const type = attributes['Type']?.split('/').at(-1) ?? ''
      return [
        attributes['Id'] ?? '',
        { type, target: isExternal ? target : resolvePath(folderOf(part), target), isExternal },
      ]
    }),
  )
}

/** Resolves a path relative to the folder of the referring part. */
export function resolvePath(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of `${path.startsWith('/') ? '' : folder}${path}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** @see ECMA-376 part 2, section 11 */
function readCoreProperties(root: XmlElement | undefined): OfficeMetadata {
  const property = (name: string): string | undefined => xmlText(child(root, name)).trim() || undefined
  return {
    title: property('dc:title'),
    author: property('dc:creator'),
    description: property('dc:description') ?? property('dc:subject'),
    keywords: property('cp:keywords'),
    language: property('dc:language'),
    publishedTime: property('dcterms:created'),
    modifiedTime: property('dcterms:modified'),
  }
}
