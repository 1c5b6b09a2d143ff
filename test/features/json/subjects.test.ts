import { describe, expect, it } from 'vitest'
import { openForm } from '../../../src/base/json-schema/answer-form.js'
import { answerFromStructuredData } from '../../../src/features/json/answer-from-structured-data.js'
import { digestHtml } from '../../content/extract/digest-html.js'
import { CONTEXT, ld, siteFurniture } from '../../content/extract/structured-page.js'

const URL_OF_PAGE = 'https://harbour.test/about'

const answer = async (html: string, properties: object, required: readonly string[] = []) => {
  const schema = { type: 'object', properties, required } as Record<string, unknown>
  return (await answerFromStructuredData(openForm(schema), digestHtml(html, URL_OF_PAGE).items, URL_OF_PAGE)).value
}

const page = (head: string, body = '<p>Ropes and sails since 1921, at the quay of Kiel.</p>'): string =>
  `<!doctype html><html><head><title>Page</title>${head}</head><body><main><h1>Page</h1>${body}</main></body></html>`

const string = { type: 'string' }
const strings = { type: 'array', items: string }

const address = {
  '@type': 'PostalAddress',
  streetAddress: 'Quay 1',
  postalCode: '24103',
  addressLocality: 'Kiel',
  addressCountry: { '@type': 'Country', name: 'DE' },
}
const owner = {
  name: 'Harbour & Co',
  telephone: '+49 431 1',
  logo: { '@type': 'ImageObject', url: '/logo.png' },
  address,
  sameAs: ['https://social.test/harbour', 'https://video.test/harbour'],
  founder: { '@type': 'Person', name: 'Ada Day' },
  foundingDate: '1921',
  numberOfEmployees: { '@type': 'QuantitativeValue', value: 12 },
  openingHours: ['Mo-Fr 09:00-18:00', 'Sa 10:00-14:00'],
}
const ownerSchema = {
  name: string,
  phone: string,
  logo: string,
  address: { type: 'object', properties: { street: string, city: string, country: string } },
  sameAs: strings,
  founder: string,
  employees: { type: 'integer' },
  openingHours: strings,
}
const saidOwner = {
  name: 'Harbour & Co',
  phone: '+49 431 1',
  logo: 'https://harbour.test/logo.png',
  address: { street: 'Quay 1', city: 'Kiel', country: 'DE' },
  sameAs: owner.sameAs,
  founder: 'Ada Day',
  employees: 12,
  openingHours: owner.openingHours,
}

describe('answers about an organization', () => {
  const [site] = siteFurniture
  it.each([
    ['a block of its own', ld({ ...CONTEXT, '@type': 'Organization', ...owner })],
    ['an array', ld([site, { ...CONTEXT, '@type': 'Corporation', ...owner }])],
    [
      'a graph whose page is about it',
      ld({
        ...CONTEXT,
        '@graph': [
          { '@type': 'AboutPage', '@id': '#page', about: { '@id': '#owner' } },
          { '@type': ['Organization', 'LocalBusiness'], '@id': '#owner', ...owner, logo: { '@id': '#logo' } },
          { '@type': 'ImageObject', '@id': '#logo', contentUrl: '/logo.png' },
        ],
      }),
    ],
    [
      'the main entity of a page',
      ld({ ...CONTEXT, '@type': 'WebPage', mainEntity: { '@type': 'BookStore', ...owner } }),
    ],
  ])('are read from %s', async (_, head) => {
    expect(await answer(page(head), ownerSchema)).toEqual(saidOwner)
  })

  it('are read from microdata', async () => {
    const body = `<div itemscope itemtype="https://schema.org/Restaurant"><span itemprop="name">The Quay</span>
      <a itemprop="sameAs" href="https://social.test/quay">s</a><span itemprop="telephone">431</span>
      <img itemprop="logo" src="/quay.png"><div itemprop="address" itemscope itemtype="https://schema.org/PostalAddress">
      <span itemprop="streetAddress">Quay 2</span> <span itemprop="addressLocality">Kiel</span></div></div>`
    const asked = {
      businessName: string,
      telephone: string,
      logo: string,
      sameAs: strings,
      address: string,
      city: string,
    }
    expect(await answer(page('', body), asked)).toEqual({
      businessName: 'The Quay',
      telephone: '431',
      logo: 'https://harbour.test/quay.png',
      sameAs: ['https://social.test/quay'],
      address: 'Quay 2, Kiel',
      city: 'Kiel',
    })
  })

  it('are read from the point of contact, and under the names of schema.org', async () => {
    const contactPoint = { '@type': 'ContactPoint', telephone: '431', email: 'quay@harbour.test' }
    const head = ld({ ...CONTEXT, '@type': 'NGO', name: 'Quay', contactPoint, legalName: 'Quay e. V.' })
    const asked = {
      email: string,
      contactPoint: { type: 'object', properties: { telephone: string } },
      legalName: string,
    }
    expect(await answer(page(head), asked)).toEqual({
      email: 'quay@harbour.test',
      contactPoint: { telephone: '431' },
      legalName: 'Quay e. V.',
    })
  })

  it('are none where something else is asked for', async () => {
    const head = ld(...siteFurniture, { ...CONTEXT, '@type': 'LocalBusiness', ...owner })
    expect(await answer(page(head), { name: string, price: { type: 'number' } })).toBeUndefined()
    expect(await answer(page(head), { name: string, startDate: string, address: string })).toBeUndefined()
    expect(await answer(page(head), { title: string, telephone: string })).toBeUndefined()
  })

  it('leave an event its own name and address', async () => {
    const event = {
      ...CONTEXT,
      '@type': 'Event',
      name: 'Shanty night',
      location: { '@type': 'Place', address: 'Pier 3' },
    }
    const head = ld({ ...CONTEXT, '@type': 'Organization', ...owner }, event)
    expect(await answer(page(head), { name: string, address: string })).toEqual({
      name: 'Shanty night',
      address: 'Pier 3',
    })
  })

  it('are none where the owner and the author answer the same', async () => {
    const person = { ...CONTEXT, '@type': 'Person', name: 'Bo', email: 'bo@harbour.test' }
    const head = ld({ ...CONTEXT, '@type': 'Organization', name: 'Quay', email: 'q@harbour.test' }, person)
    expect(await answer(page(head), { name: string, email: string })).toBeUndefined()
    expect(await answer(page(ld(person)), { name: string, email: string })).toEqual({ name: 'Bo', email: person.email })
  })
})

describe('answers about other things', () => {
  it('are read of a person with a profile', async () => {
    const person = {
      '@type': 'Person',
      name: 'Ada Day',
      jobTitle: 'Sailmaker',
      worksFor: { '@type': 'Organization', name: 'Quay' },
    }
    const head = ld({
      ...CONTEXT,
      '@type': 'ProfilePage',
      mainEntity: { ...person, sameAs: 'https://social.test/ada' },
    })
    expect(await answer(page(head), { name: string, title: string, company: string, socials: strings })).toEqual({
      name: 'Ada Day',
      title: 'Sailmaker',
      company: 'Quay',
      socials: ['https://social.test/ada'],
    })
  })

  it('are read of a guide, with its steps', async () => {
    const step = [
      { '@type': 'HowToStep', text: 'Lay it flat.' },
      { '@type': 'HowToStep', text: 'Fold it.' },
    ]
    const head = ld({
      ...CONTEXT,
      '@type': 'HowTo',
      name: 'Fold a sail',
      step,
      tool: { '@type': 'HowToTool', name: 'Hands' },
    })
    expect(await answer(page(head), { title: string, steps: strings, tools: strings })).toEqual({
      title: 'Fold a sail',
      steps: ['Lay it flat.', 'Fold it.'],
      tools: ['Hands'],
    })
  })

  it('are read of a thing of any type, under its own names', async () => {
    const head = ld({ ...CONTEXT, '@type': 'Dataset', name: 'Tides', license: 'CC0', temporalCoverage: '1990/2020' })
    expect(await answer(page(head), { name: string, license: string, temporalCoverage: string })).toEqual({
      name: 'Tides',
      license: 'CC0',
      temporalCoverage: '1990/2020',
    })
  })
})

describe('answers about questions', () => {
  const question = (name: string, acceptedAnswer: unknown) => ({ '@type': 'Question', name, acceptedAnswer })
  const text = (words: string) => ({ '@type': 'Answer', text: words })
  const mainEntity = [
    question('Do you ship?', text('<p>Yes, <b>worldwide</b>.</p>')),
    question('Returns?', [text('Within 30 days.')]),
  ]
  const faqs = {
    faqs: {
      type: 'array',
      items: { type: 'object', properties: { question: string, answer: string }, required: ['question', 'answer'] },
    },
  }
  const said = {
    faqs: [
      { question: 'Do you ship?', answer: 'Yes, worldwide.' },
      { question: 'Returns?', answer: 'Within 30 days.' },
    ],
  }

  it.each([
    ['a block of its own', ld({ ...CONTEXT, '@type': 'FAQPage', mainEntity })],
    [
      'a page of two types in a graph',
      ld(...siteFurniture, { ...CONTEXT, '@graph': [{ '@type': ['WebPage', 'FAQPage'], mainEntity }] }),
    ],
    [
      'references within a graph',
      ld({
        ...CONTEXT,
        '@graph': [
          { '@type': 'FAQPage', mainEntity: [{ '@id': '#0' }, { '@id': '#1' }] },
          ...mainEntity.map((one, index) => ({ ...one, '@id': `#${index}` })),
        ],
      }),
    ],
    [
      'a list within the page',
      ld({
        ...CONTEXT,
        '@type': 'FAQPage',
        mainEntity: {
          '@type': 'ItemList',
          itemListElement: mainEntity.map((item, at) => ({ '@type': 'ListItem', position: at + 1, item })),
        },
      }),
    ],
    [
      'the page of a product',
      ld({ ...CONTEXT, '@type': 'Product', name: 'Rope' }, { ...CONTEXT, '@type': 'FAQPage', mainEntity }),
    ],
  ])('are read from %s', async (_, head) => {
    expect(await answer(page(head), faqs)).toEqual(said)
  })

  it('are read from microdata, and under the names of schema.org', async () => {
    const one = (name: string, words: string): string =>
      `<div itemscope itemprop="mainEntity" itemtype="https://schema.org/Question"><h3 itemprop="name">${name}</h3><div itemscope itemprop="acceptedAnswer" itemtype="https://schema.org/Answer"><div itemprop="text"><p>${words}</p></div></div></div>`
    const body = `<div itemscope itemtype="https://schema.org/FAQPage">${one('Ship?', 'Yes.')}${one('Returns?', 'No.')}</div>`
    const acceptedAnswer = { type: 'object', properties: { text: string } }
    const asked = {
      mainEntity: { type: 'array', items: { type: 'object', properties: { name: string, acceptedAnswer } } },
    }
    expect(await answer(page('', body), asked)).toEqual({
      mainEntity: [
        { name: 'Ship?', acceptedAnswer: { text: 'Yes.' } },
        { name: 'Returns?', acceptedAnswer: { text: 'No.' } },
      ],
    })
    expect(await answer(page('', body), { questions: strings })).toEqual({ questions: ['Ship?', 'Returns?'] })
  })

  it('are read beside the product of the page', async () => {
    const head = ld(
      { ...CONTEXT, '@type': 'Product', name: 'Rope', sku: 'R1' },
      { ...CONTEXT, '@type': 'FAQPage', name: 'FAQ', mainEntity },
    )
    expect(await answer(page(head), { name: string, sku: string, questions: strings })).toEqual({
      name: 'Rope',
      sku: 'R1',
      questions: ['Do you ship?', 'Returns?'],
    })
  })

  it('are read from a page with one question and several answers', async () => {
    const one = {
      ...question('Which knot?', text('A bowline.')),
      suggestedAnswer: [text('A clove hitch.')],
      answerCount: 2,
    }
    const head = ld({ ...CONTEXT, '@type': 'QAPage', mainEntity: one })
    expect(await answer(page(head), { question: string, answers: strings, answerCount: { type: 'integer' } })).toEqual({
      question: 'Which knot?',
      answers: ['A bowline.', 'A clove hitch.'],
      answerCount: 2,
    })
  })
})
