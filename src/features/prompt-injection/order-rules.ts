import type { Meaning } from './languages/words.js'

/** Aims of instructions to a model. `other` is for what a model has found. */
export const injectionKinds = [
  'override',
  'prompt-leak',
  'address',
  'role',
  'secrecy',
  'exfiltration',
  'tool-use',
  'promotion',
  'chat-markup',
  'other',
] as const

/** Aim of an instruction to a model. */
export type InjectionKind = (typeof injectionKinds)[number]

/** Meanings whose words stand close to each other, in one language. */
export interface WordRule {
  /** A word for each, in any order: languages differ in it. */
  readonly slots: readonly (readonly Meaning[])[]
  /** True if the word of the last slot stands after that of the first one, in every language. @default false */
  readonly isOrdered?: true
  /** True for a verb in the first slot: it stands before its object, which is the last one, in languages with that order. @default false */
  readonly isVerbFirst?: true
  /** Maximum length from the first word to the last. Characters. */
  readonly span: number
  /** Maximum number of ends of sentences between them. @default 0 */
  readonly sentences?: number
}

/** Meanings that form an order. */
export interface OrderRule extends WordRule {
  readonly name: string
  readonly kind: InjectionKind
  /** Aim of the order, as a predicate. */
  readonly reason: string
}

/** Words that together speak to a model. An order may follow them. */
export const addressRules: readonly WordRule[] = [
  { slots: [['call'], ['model', 'helper']], span: 45, isOrdered: true },
  { slots: [['model', 'helper'], ['read']], span: 80 },
]

/** Languages whose verbs may stand after their objects. */
export const verbLast: ReadonlySet<string> = new Set(['fa', 'fi', 'hi', 'hu', 'ja', 'ko', 'tr'])

/** Languages in which a sign says what takes two to four in others: spans are half as long. */
export const dense: ReadonlySet<string> = new Set(['ja', 'ko', 'zh'])

/** Rules for orders, the surest first: a sentence is listed by the first that it meets. */
export const orderRules: readonly OrderRule[] = [
  {
    name: 'override',
    kind: 'override',
    reason: 'tells to disregard earlier instructions',
    slots: [['ignore'], ['prior'], ['order']],
    span: 80,
  },
  {
    name: 'forget-all',
    kind: 'override',
    reason: 'tells to disregard all that came before, and something else instead',
    slots: [['ignore'], ['before'], ['say', 'role', 'leak']],
    span: 140,
    sentences: 1,
    isOrdered: true,
  },
  {
    name: 'new-instructions',
    kind: 'override',
    reason: 'replaces the instructions by new ones',
    slots: [['fresh'], ['model', 'helper', 'ignore'], ['call', 'prior', 'ignore']],
    span: 110,
    sentences: 1,
  },
  {
    name: 'question',
    kind: 'override',
    reason: 'tells to disregard what the user asks',
    slots: [['ignore'], ['user'], ['ask'], ['say', 'must']],
    span: 110,
  },
  {
    name: 'prompt-leak',
    kind: 'prompt-leak',
    reason: 'asks for the system prompt',
    slots: [['leak'], ['system']],
    span: 80,
    isVerbFirst: true,
  },
  {
    name: 'role',
    kind: 'role',
    reason: 'gives the model a role without rules',
    slots: [['role'], ['free'], ['model', 'helper', 'free']],
    span: 140,
  },
  {
    name: 'history',
    kind: 'exfiltration',
    reason: 'sends the conversation, or data of the user, to an address',
    slots: [['send'], ['history'], ['address']],
    span: 160,
  },
  {
    name: 'own-tool',
    kind: 'exfiltration',
    reason: 'uses a tool of the model to send something of the user',
    slots: [['yourTool'], ['send'], ['user', 'history', 'address']],
    span: 170,
  },
  {
    name: 'unasked-tool',
    kind: 'tool-use',
    reason: 'calls a tool without asking the user',
    slots: [['tool', 'yourTool'], ['noAsking'], ['model', 'helper', 'user', 'addressed']],
    span: 150,
  },
  {
    name: 'secrecy',
    kind: 'secrecy',
    reason: 'keeps something from the user',
    slots: [['hide'], ['user'], ['answer', 'read', 'order', 'model', 'helper', 'tool', 'history']],
    span: 150,
    sentences: 1,
  },
  {
    name: 'answer',
    kind: 'address',
    reason: 'says what the answers of an assistant must contain',
    slots: [['answer'], ['say'], ['helper'], ['must']],
    span: 110,
  },
  {
    name: 'promotion',
    kind: 'promotion',
    reason: 'says what models must recommend',
    slots: [['only', 'answer'], ['praise'], ['model'], ['must']],
    span: 110,
  },
  {
    name: 'address',
    kind: 'address',
    reason: 'speaks to a model, and tells it what to do',
    slots: [['addressed'], ['say', 'praise', 'leak', 'send', 'tool', 'ignore', 'hide']],
    span: 180,
    sentences: 1,
    isOrdered: true,
  },
]
