import { expect, expectTypeOf, it } from 'vitest'
import type { Document, DocumentOf } from '../../../src/index.js'
import { WorkerPlaces } from '../../../src/features/machines/pages/worker-places.js'
import type { TaskQueue } from '../../../src/kernel/ledger/task-queue.js'
import { formatsOf } from '../../../src/kernel/plan/feature-plan.js'
import { featured, plan } from '../plan-with-features.js'

it('audio is made by the engine that runs the job', () => {
  expect(new WorkerPlaces({} as TaskQueue, 'any', formatsOf(featured)).orderOf(plan({ formats: ['audio'] }))).toBe(
    'read',
  )
})

it('a document with a video is a document', () => {
  expectTypeOf<DocumentOf<['markdown', 'summary', 'video']>>().toExtend<Document>()
  expectTypeOf<DocumentOf<['video']>['video']>().toEqualTypeOf<string>()
})
