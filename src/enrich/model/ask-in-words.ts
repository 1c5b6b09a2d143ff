import { askEach } from './ask-each.js'
import type { PageModel } from '../format.js'
import type { PagePart } from './page-text.js'
import { WORDS_SYSTEM, writePrompt } from './prompts.js'
import { withoutThoughts } from './read-json.js'

/** What is asked for in words. */
export interface WordsQuestion {
  /** The field that it fills. */
  readonly field: string
  readonly task: string
  /** What is made of the answers about the parts of a long page. */
  readonly combine: string
  /** What the model says of a part that has nothing about it; such parts do not count. */
  readonly nothing?: string
  readonly url: string
}

/** An answer in words; undefined when there is none. */
export interface WordsAnswer {
  readonly text: string | undefined
  readonly warnings: readonly string[]
}

/** Asks about a page; about each part of a long one, and then about the answers. */
export async function askInWords(
  question: WordsQuestion,
  parts: readonly PagePart[],
  model: PageModel,
): Promise<WordsAnswer> {
  const { field, task, combine, nothing, url } = question
  const warnings: string[] = []
  const ask = async (prompt: string): Promise<string | undefined> => {
    const { text, finish } = await model.ask({
      system: WORDS_SYSTEM,
      prompt,
      isSound: (answer) => answer.trim() !== '',
    })
    if (finish === 'refusal') warnings.push(`The model would not answer for \`${field}\`.`)
    if (finish === 'length')
      warnings.push(`\`${field}\` is longer than \`modelOptions.maxOutputTokens\`, and is cut off.`)
    const answer = withoutThoughts(text).trim()
    return finish === 'refusal' || answer === '' ? undefined : answer
  }
  const asked = await askEach(field, parts, ({ text }, part) => ask(writePrompt({ task, url, text, part })))
  warnings.push(...asked.warnings)
  const given = asked.answers.filter((answer) => answer !== undefined)
  const useful = given.filter((answer) => nothing === undefined || !answer.includes(nothing))
  const told = useful.length > 0 ? useful : given.slice(0, 1)
  const text = told.length < 2 ? told[0] : await ask(writePrompt({ task: combine, url, text: told.join('\n\n') }))
  const unique = [...new Set(warnings)]
  if (text === undefined && unique.length === 0)
    unique.push(`There is no \`${field}\`: the model gave an empty answer.`)
  return { text, warnings: unique }
}
