import { expect, it } from 'vitest'
import { builtIn } from '../../src/features/create-engine.js'
import { featureTasks } from '../../src/features/tasks.js'

it('the tasks on trees that features have are those of the threads', () => {
  for (const [name, task] of Object.entries(builtIn.treeTasks))
    expect({ [name]: featureTasks[name] }).toEqual({ [name]: task })
})
