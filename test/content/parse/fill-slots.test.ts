import { expect, it } from 'vitest'
import { streamPage } from '../../../src/content/parse/parse.js'
import { bytes, pageUrl, parseHtml, parsePlan } from './pages.js'

const root = (html: string): string => `<template shadowrootmode="open">${html}</template>`
const bodyOf = (html: string): string => parseHtml(html).tree.$('body').html() ?? ''

it('moves the children of an element with a shadow root into its slots', () => {
  const { $ } = parseHtml(
    `<my-card>${root('<h1><slot name="title">none</slot></h1><hr><slot>nothing</slot>')}
     <span slot="title">Title</span>first<p>second</p></my-card>`,
  ).tree
  expect($('h1 > slot').html()).toBe('<span slot="title">Title</span>')
  expect($('hr + slot').text().trim()).toBe('firstsecond')
  expect($('my-card').children()).toHaveLength(1)
})

it('keeps the default contents of a slot that has none, and children without a slot', () => {
  expect(bodyOf(`<a-b>${root('<slot>default</slot><slot name="x">other</slot>')}\n</a-b>`)).toContain('default')
  expect(bodyOf(`<a-b>${root('<p>x</p>')}text</a-b>`)).toBe(`<a-b>${root('<p>x</p>')}text</a-b>`)
  expect(bodyOf(`<a-b>${root('<slot name="x"></slot>')}text</a-b>`)).toMatch(/text<\/a-b>$/)
})

it('fills slots through several shadow roots', () => {
  const inner = `<c-d>${root('<b>inner <slot></slot></b>')}<slot></slot></c-d>`
  const { $ } = parseHtml(`<a-b>${root(inner)}<i>light</i></a-b>`).tree
  expect($('b').text()).toBe('inner light')
})

it('leaves slots alone outside of shadow roots, and other templates', () => {
  const html = '<a-b><template><slot></slot></template><slot>x</slot>y</a-b>'
  expect(bodyOf(html)).toBe(html)
})

it('takes linear time for shadow roots inside of each other, or of one element', () => {
  const deep = Array.from({ length: 20_000 }).reduce<string>(
    (html) => `<a-b>${root('<slot></slot>')}${html}</a-b>`,
    'x',
  )
  expect(parseHtml(deep).tree.$('body').text()).toBe('x')
  const many = `<a-b>${`${root('<slot></slot>')}x`.repeat(50_000)}</a-b>`
  expect(parseHtml(many).tree.$('slot').first().text()).toBe('x'.repeat(50_000))
})

it('is not read node by node', () => {
  const input = { url: pageUrl, body: bytes(`<a-b>${root('<slot></slot>')}x</a-b>`), contentType: 'text/html' }
  const reader = { enter: () => false, leave: () => undefined, addText: () => undefined, isWithin: false }
  expect(streamPage(input, parsePlan, reader)).toBeUndefined()
})
