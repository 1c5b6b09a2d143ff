import { describe, expect, it } from 'vitest'
import contentModel from '../../../src/content/extract/main-content/content-model.json' with { type: 'json' }
import { buildFeatures } from '../../../src/content/extract/measures/build-features.js'
import { namesPut } from '../../../src/content/extract/measures/feature-vector.js'
import { readMetadata } from '../../../src/content/extract/structured-data/metadata.js'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'

describe('the content model', () => {
  it('names the features that are built, in their order', () => {
    const page = parseHtml('<p>A block of text.</p>')
    const [body] = page.tree.$('body')
    if (body === undefined) throw new Error('the page has no body')
    const read = readBlocks(body, findNeverShown(body))
    const metadata = readMetadata(page)
    const features = buildFeatures({ page, metadata, read, kind: 'other', verdictOf: () => 1, nameWeights: new Map() })
    expect(read.blocks.flatMap((block) => namesPut((put) => features.read(block, put)))).toEqual(contentModel.features)
  })

  it('has only complete trees, with one leaf more than questions', () => {
    for (const { features, values } of contentModel.forest.trees) {
      expect(values).toHaveLength(features.length)
      expect(features.filter((feature) => feature === -1)).toHaveLength((features.length + 1) / 2)
    }
  })
})
