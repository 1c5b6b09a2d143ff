import type { Box } from '../elements/reading-order.js'
import { at, child, descendants, type XmlElement } from '../package/xml.js'

/** Coordinate space of a group of shapes: converts its coordinates to those of the slide. */
export interface Space {
  place(box: Box): Box
  /** Returns the coordinate space of a group. */
  inside(transform: XmlElement | undefined): Space
}

/** Properties that a placeholder inherits from the layout and the master of its slide. */
interface Inherited {
  readonly box: Box | undefined
  readonly listStyles: readonly (XmlElement | undefined)[]
}

/** Reads the placeholders of a slide's layout and master. */
export interface Placeholders {
  find(attributes: Readonly<Record<string, string>>): Inherited
}

function makeSpace(toSlide: (box: Box) => Box): Space {
  return {
    place: toSlide,
    inside(transform) {
      const outer = readBox(transform, 'a:off', 'a:ext')
      const inner = readBox(transform, 'a:chOff', 'a:chExt')
      if (outer === undefined || inner === undefined) return makeSpace(toSlide)
      const across = inner.width === 0 ? 1 : outer.width / inner.width
      const down = inner.height === 0 ? 1 : outer.height / inner.height
      return makeSpace(({ x, y, width, height }) =>
        toSlide({
          x: outer.x + (x - inner.x) * across,
          y: outer.y + (y - inner.y) * down,
          width: width * across,
          height: height * down,
        }),
      )
    },
  }
}

export const WHOLE_SLIDE: Space = makeSpace((box) => box)

/** Returns the rectangle of a transform; undefined if it has none. */
export const readSlideBox = (transform: XmlElement | undefined, space: Space): Box | undefined => {
  const box = readBox(transform, 'a:off', 'a:ext')
  return box && space.place(box)
}

function readBox(transform: XmlElement | undefined, offset: string, extent: string): Box | undefined {
  const place = child(transform, offset)?.attributes
  const size = child(transform, extent)?.attributes
  const x = Number(place?.['x'])
  const y = Number(place?.['y'])
  const width = Number(size?.['cx'] ?? 0)
  const height = Number(size?.['cy'] ?? 0)
  return [x, y, width, height].every((number) => Number.isFinite(number)) ? { x, y, width, height } : undefined
}

/** @see ECMA-376 part 1, section 19.3.1.36 */
export function readPlaceholders(layout: XmlElement | undefined, master: XmlElement | undefined): Placeholders {
  const inLayout = collect(layout)
  const inMaster = collect(master)
  const styles = child(master, 'p:txStyles')
  return {
    find({ type = 'obj', idx }) {
      const laid =
        inLayout.find(({ facts }) => idx !== undefined && facts['idx'] === idx) ??
        inLayout.find(({ facts }) => (facts['type'] ?? 'obj') === type)
      const role = laid?.facts['type'] ?? type
      const wanted = MASTER_ROLE.get(role) ?? role
      const mastered = inMaster.find(({ facts }) => facts['type'] === wanted)
      const general = wanted === 'title' ? 'p:titleStyle' : wanted === 'body' ? 'p:bodyStyle' : 'p:otherStyle'
      const listStyles = [laid, mastered].map((found) => at(found?.shape, 'p:txBody', 'a:lstStyle'))
      return { box: laid?.box ?? mastered?.box, listStyles: [...listStyles, child(styles, general)] }
    },
  }
}

/** Roles of placeholders in a layout, mapped to those in the master that they inherit from. */
const MASTER_ROLE: ReadonlyMap<string, string> = new Map([
  ['ctrTitle', 'title'],
  ['subTitle', 'body'],
  ['obj', 'body'],
  ['tbl', 'body'],
  ['chart', 'body'],
  ['dgm', 'body'],
  ['pic', 'body'],
  ['media', 'body'],
  ['clipArt', 'body'],
])

interface Found {
  readonly facts: Readonly<Record<string, string>>
  readonly shape: XmlElement
  readonly box: Box | undefined
}

function collect(part: XmlElement | undefined): Found[] {
  return descendants(at(part, 'p:cSld', 'p:spTree'), 'p:sp').flatMap((shape): Found[] => {
    const facts = descendants(child(shape, 'p:nvSpPr'), 'p:ph')[0]?.attributes
    return facts === undefined ? [] : [{ facts, shape, box: readSlideBox(at(shape, 'p:spPr', 'a:xfrm'), WHOLE_SLIDE) }]
  })
}
