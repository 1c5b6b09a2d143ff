import { anyFunction, checkArgument, checkOptions, nonEmptyString, oneOf } from '../../../base/runtime/check-options.js'
import type { ChangeOf, MirrorUnit } from '../mirror-change.js'
import type { MirrorTarget } from '../mirror-target.js'

/** Settings of {@link mirrorWith}. */
export interface FunctionTargetOptions<Unit extends MirrorUnit> {
  /** Name of the mirror, under which what is acknowledged is kept. */
  name: string
  /** `chunk` for the chunks of pages. @default 'page' */
  unit?: Unit
}

/**
 * Mirrors a site with a function, which stores each change. Each is acknowledged when the function has resolved; one that was not is
 * given to it again, with the same key.
 *
 * @example
 * engine.mirror({ url: 'https://example.com/docs/' }, mirrorWith(async ({ op, key }) => console.log(op, key), { name: 'docs' }))
 */
export function mirrorWith<Unit extends MirrorUnit = 'page'>(
  store: (change: ChangeOf<Unit>) => Promise<void> | void,
  options: FunctionTargetOptions<Unit>,
): MirrorTarget {
  checkArgument('mirrorWith(store, options)', store, anyFunction)
  checkOptions(
    'mirrorWith',
    options,
    { name: nonEmptyString('a name of 1 character or more'), unit: oneOf('page', 'chunk') },
    ['name'],
  )
  const { name, unit } = options
  return {
    name,
    unit,
    async open({ openRecord }) {
      const record = await openRecord(name)
      return {
        record,
        announces: true,
        async write(step) {
          await record.checkAlone?.()
          await store(step.change as ChangeOf<Unit>)
          await record.save(step.saved)
          return step.saved
        },
      }
    },
  }
}
