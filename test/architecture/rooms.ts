import { fullRooms, pluginFolders, rooms } from './house.js'
import { partOf } from './laws.js'
import type { Law } from './laws.js'
import type { Module } from './modules.js'

/** Files that a folder may hold: more cannot be taken in at one look. */
export const MAX_FILES = 30
/** Files that may lie in `src/` itself. */
export const MAX_LOOSE_FILES = 4

interface Place {
  /** Its part, such as `kernel/fetch`. */
  readonly station: string
  /** Undefined for a file that lies in the station itself. */
  readonly room?: string
}

/** Undefined for a loose file, and in features, which divide themselves. */
const placeOf = (path: string): Place | undefined => {
  const station = partOf(path)
  if (`${station}.ts` === path || (station.startsWith('features/') && !rooms[station])) return undefined
  const [room = '', file] = path.slice(station.length + 1).split('/')
  return file === undefined ? { station } : { station, room }
}

/** Law 8: a station is divided into rooms, each on its list from left to right; there are no rooms in rooms. */
export const roomsAreListed: Law = (modules) => {
  const found = new Set<string>()
  for (const { path } of modules) {
    const { station = '', room } = placeOf(path) ?? {}
    if (room === undefined) continue
    if (path.slice(station.length + 1).split('/').length > 2)
      found.add(`src/${path} lies in a room of a room: make it a room of ${station}/`)
    else if (!rooms[station]?.includes(room)) {
      found.add(
        `src/${station}/${room}/ is no room: add it to the list of \`${station}\` in test/architecture/house.ts`,
      )
    }
  }
  const folders = new Set(modules.map(({ path }) => path.split('/').slice(0, -1).join('/')))
  for (const [station, names] of Object.entries(rooms)) {
    for (const name of names) {
      if (!folders.has(`${station}/${name}`))
        found.add(`src/${station}/${name}/ is gone: take it off the list in test/architecture/house.ts`)
    }
  }
  return [...found]
}

/**
 * Law 8 as well: within a station, a room imports the rooms to its left and the station's contracts. A file of the station that loads
 * a room is an entry, which no room imports; a contract may name the types of a room.
 */
export const roomsImportLeft: Law = (modules) => {
  const entries = findEntries(modules)
  return modules.flatMap((module) => {
    const from = placeOf(module.path)
    if (from?.room === undefined) return []
    const order = rooms[from.station] ?? []
    return module.imports.flatMap(({ target, line }) => {
      const to = target === undefined ? undefined : placeOf(target)
      if (target === undefined || to?.station !== from.station || to.room === from.room) return []
      const where = `src/${module.path}:${line} imports ${target}`
      if (to.room === undefined) {
        return entries.has(target) ? `${where}, which loads rooms: take what is needed as an argument` : []
      }
      if (order.indexOf(to.room) < order.indexOf(from.room ?? '')) return []
      return `${where}, and ${to.room}/ stands to the right of ${from.room}/: move what is needed to the left, or take it as an argument`
    })
  })
}

/** Files of stations that load a room of their own, by themselves or by another such file. */
function findEntries(modules: readonly Module[]): ReadonlySet<string> {
  const entries = new Set<string>()
  const own = modules.filter(({ path }) => {
    const place = placeOf(path)
    return place !== undefined && place.room === undefined
  })
  for (let before = -1; before !== entries.size;) {
    before = entries.size
    for (const { path, imports } of own) {
      const reaches = imports.some(({ target = '', kind }) => {
        if (kind === 'type' || placeOf(target)?.station !== placeOf(path)?.station) return false
        return entries.has(target) || placeOf(target)?.room !== undefined
      })
      if (reaches) entries.add(path)
    }
  }
  return entries
}

/** Law 9: a folder can be taken in at one look. */
export const foldersAreNotFull: Law = (modules) => {
  const counts = new Map<string, number>()
  for (const { path } of modules) {
    const folder = path.split('/').slice(0, -1).join('/')
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) => {
    const max = folder === '' ? MAX_LOOSE_FILES : MAX_FILES
    if (count <= max || pluginFolders.includes(folder) || fullRooms[folder] !== undefined) return []
    return `src/${folder} holds ${count} files, and ${max} is the most: divide it where its subjects part`
  })
}
