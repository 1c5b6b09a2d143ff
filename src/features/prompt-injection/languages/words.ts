/**
 * Meanings of words by which orders to a model are told. The rules of `order-rules.ts` say which of them form an order.
 */
export const meanings = [
  /** To disregard. */
  'ignore',
  /** Earlier, or of the model. */
  'prior',
  /** All that came before. */
  'before',
  /** Instructions, rules, prompts. */
  'order',
  /** Names of models. */
  'model',
  /** Assistants and reviewers: people may be meant. */
  'helper',
  /** People who are called after models, such as developers of AI. */
  'people',
  /** Words with which somebody is spoken to. */
  'call',
  /** This page, and reading it. */
  'read',
  /** Duty and limit: must, always, only. */
  'must',
  /** To answer or to write. */
  'say',
  /** To disclose. */
  'leak',
  /** The system prompt. */
  'system',
  /** To keep from somebody. */
  'hide',
  /** The person who uses the model. */
  'user',
  /** Another role from now on. */
  'role',
  /** Freedom from rules. */
  'free',
  /** To send away. */
  'send',
  /** The conversation, and what the user has said. */
  'history',
  /** Messages, files, passwords. */
  'data',
  /** The tools that the model has. */
  'yourTool',
  /** To call a tool. */
  'tool',
  /** Without asking the user. */
  'noAsking',
  /** To recommend or to rate. */
  'praise',
  /** First, best, ours. */
  'only',
  /** The answer of the model. */
  'answer',
  /** New instructions. */
  'fresh',
  /** The question of the user. */
  'ask',
  /** Words of somebody who reports about orders to models. */
  'report',
  /** The subject: prompt injection. */
  'topic',
  /** An address to send something to. */
  'address',
  /** A model that is spoken to. */
  'addressed',
] as const

/** A meaning of a word. */
export type Meaning = (typeof meanings)[number]

/**
 * The words of a language by their meaning, separated by commas. `*` at the end of a word stands for any ending, and between words for
 * the rest of a word or for one word. Case and accents do not matter.
 */
export type LanguageWords = Readonly<Partial<Record<Meaning, string>>>
