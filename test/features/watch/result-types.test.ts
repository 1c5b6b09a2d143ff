import { expectTypeOf, it } from 'vitest'
import type { Document } from '../../../src/index.js'
import type { WatchResult } from '../../../src/features/watch/watch.js'

it('a result has what its status says', () => {
  const check = (result: WatchResult) => {
    if (result.status === 'new') expectTypeOf(result.document).toEqualTypeOf<Document>()
    if (result.status === 'moved') expectTypeOf(result.movedTo).toEqualTypeOf<string>()
    if (result.status === 'removed') expectTypeOf(result.statusCode).toEqualTypeOf<number>()
    if (result.status === 'error') expectTypeOf(result.error).toEqualTypeOf<string>()
    if (result.status === 'same') expectTypeOf(result.document).toEqualTypeOf<Document | undefined>()
  }
  expectTypeOf(check).toBeFunction()
})
