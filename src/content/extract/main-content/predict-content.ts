import contentModel from './content-model.json' with { type: 'json' }
import { evenOut } from './even-out.js'
import { Forest } from './forest.js'
import { buildFeatures, type FeatureSource } from '../features/build-features.js'
import { FeatureVector } from '../features/feature-vector.js'

interface Model {
  readonly forest: Forest
  /** The row of the forest. */
  readonly vector: FeatureVector
  readonly nameWeights: ReadonlyMap<string, number>
}

/** Read on first use, and kept for the process: the model is a constant. */
let model: Model | undefined

/**
 * Predicts for each block of a page the probability that it is main content, 0 to 1: from the features of the block and
 * the page, evened out between blocks of the same form.
 */
export function predictContent(source: Omit<FeatureSource, 'nameWeights'>): Float64Array {
  model ??= readModel()
  const { forest, vector, nameWeights } = model
  const { read } = source
  const features = buildFeatures({ ...source, nameWeights })
  const probabilities = forest.evaluate(read.blocks.length, (nth) => {
    const block = read.blocks[nth]
    if (block === undefined) return
    vector.moveTo(0)
    features.read(block, vector.put)
  })
  return evenOut(read, probabilities)
}

function readModel(): Model {
  const vector = new FeatureVector(contentModel.features.length)
  return {
    forest: new Forest(contentModel.forest, vector.numbers),
    vector,
    nameWeights: new Map(Object.entries(contentModel.nameWeights)),
  }
}
