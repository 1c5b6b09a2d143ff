import { describe, expect, it } from 'vitest'
import { markdownOf } from './markdown-of.js'

const hot = '<p>The pump is hot.</p>'

describe('a box whose kind only its style or its icon shows', () => {
  it.each([
    ['MkDocs', `<div class="admonition danger">${hot}</div>`, '**Danger**\n\nThe pump is hot.'],
    [
      'Bootstrap',
      '<div class="alert alert-warning" role="alert">The pump is hot.</div>',
      '**Warning:** The pump is hot.',
    ],
    ['mdBook', `<blockquote class="warning">${hot}</blockquote>`, '> **Warning**\n>\n> The pump is hot.'],
    ['Jekyll', '<p class="caution">The <b>pump</b> is hot.</p>', '**Caution:** The **pump** is hot.'],
    ['GitBook', `<div class="hint hint-info">${hot}</div>`, '**Info**\n\nThe pump is hot.'],
    ['Docsy', `<aside class="callout callout--tip">${hot}</aside>`, '**Tip**\n\nThe pump is hot.'],
    [
      'Confluence',
      `<div class="confluence-information-macro confluence-information-macro-note"><span class="aui-icon"></span>${hot}</div>`,
      '**Note**\n\nThe pump is hot.',
    ],
    [
      'Asciidoctor, in a table',
      '<div class="admonitionblock important"><table><tr><td class="icon"><i class="fa" title="Important"></i></td><td>The pump is hot.</td></tr></table></div>',
      '**Important**\n\nThe pump is hot.',
    ],
    [
      'beside a title of its own',
      `<div class="admonition warning"><p class="admonition-title">Hands off</p>${hot}</div>`,
      '**Warning**\n\nHands off\n\nThe pump is hot.',
    ],
    [
      'in a cell',
      `<table><tr><th>a<th>b<tr><td>c<td><p class="danger">d</p></table>`,
      '| a | b |\n| --- | --- |\n| c | **Danger:** d |',
    ],
  ])('keeps it: %s', (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected)
  })

  it.each([
    ['a title that says it', `<div class="admonition warning"><p class="admonition-title">Warning</p>${hot}</div>`],
    [
      'a title in another language',
      `<div class="custom-block warning"><p class="custom-block-title">Achtung</p>${hot}</div>`,
    ],
    ['its first word', '<div class="notecard warning"><p><strong>Warning:</strong> The pump is hot.</p></div>'],
    ['its first words, in another language', '<div class="alert alert-warning">Bitte beachten: The pump is hot.</div>'],
    ['a class of small print', '<p class="note">The pump is hot.</p>'],
    ['a hint of a form', '<p class="hint">The pump is hot.</p>'],
    ['a class that is no kind', `<div class="alert alert-success">${hot}</div>`],
    ['a long part of a page', `<div class="alert alert-info"><p>${'The pump is hot. '.repeat(200)}</p></div>`],
    ['an empty box', `<div class="alert alert-danger"></div>${hot}`],
  ])('writes no other before %s', (_, html) => {
    expect(markdownOf(html)).not.toMatch(/\*\*(?:Warning|Note|Hint|Info|Danger)\*\*|^(?!\*\*Warning:\*\* The).*:\*\*/m)
    expect(markdownOf(html)).toContain('The pump is hot.')
  })
})
