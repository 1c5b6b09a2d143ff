import { expect, it } from 'vitest'
import { createRenderingPredictor } from '../../../src/kernel/job/run/predict-rendering.js'

const page = (number: number): string => `https://site.test/news/${number}`

it('the predictor chooses a browser after two pages that gained text in it, and HTTP after two that did not', () => {
  const memory = createRenderingPredictor()
  expect(memory.predict(page(1))).toBeUndefined()
  memory.record(page(1), true)
  expect(memory.predict(page(2))).toBeUndefined()
  memory.record(page(2), true)
  expect(memory.predict(page(3))).toBe('browser')
  expect(memory.predict('https://site.test/about')).toBeUndefined()
  const other = createRenderingPredictor()
  other.record(page(1), false)
  other.record(page(2), false)
  expect(other.predict(page(3))).toBe('http')
})

it('the predictor makes no prediction when pages of one template disagree', () => {
  const memory = createRenderingPredictor()
  memory.record(page(1), true)
  memory.recordPlain(page(2))
  memory.record(page(3), true)
  expect(memory.predict(page(4))).toBeUndefined()
  const other = createRenderingPredictor()
  other.recordPlain(page(1))
  other.recordPlain(page(2))
  expect(other.predict(page(3))).toBeUndefined()
})
