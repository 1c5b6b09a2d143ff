import { CONTEXT, ld, makePage, siteFurniture, type StructuredPage } from '../../../content/extract/structured-page.js'

export const articleSchema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    author: { type: 'string' },
    publishedAt: { type: 'string' },
    updatedAt: { type: 'string' },
    publisher: { type: 'string' },
    section: { type: 'string' },
    description: { type: 'string' },
    image: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['title'],
}

const text = '<h1>The tide</h1><p>It rises, and it falls, twice a day, and who lives by it knows.</p>'
const said = {
  title: 'The tide',
  author: 'Ann Lee',
  publishedAt: '2026-03-01T08:00:00+00:00',
  updatedAt: '2026-03-02T09:30:00+00:00',
  publisher: 'Harbour & Co',
  section: 'Sea',
  description: 'On tides.',
  image: 'https://harbour.test/tide.jpg',
  tags: ['sea', 'moon'],
}
const publisher = {
  '@type': 'Organization',
  name: 'Harbour & Co',
  logo: { '@type': 'ImageObject', url: 'https://harbour.test/logo.png' },
}
const plain = {
  headline: 'The tide',
  author: { '@type': 'Person', name: 'Ann Lee', url: 'https://harbour.test/ann' },
  datePublished: said.publishedAt,
  dateModified: said.updatedAt,
  articleSection: 'Sea',
  description: 'On tides.',
  image: [said.image],
  keywords: ['sea', 'moon'],
  publisher,
}

export const articles: readonly StructuredPage[] = [
  makePage('a newspaper', '/a1', ld(...siteFurniture, { ...CONTEXT, '@type': 'NewsArticle', ...plain }), text, said),
  makePage(
    'a blog’s graph, its author and picture by reference',
    '/a2',
    ld({
      ...CONTEXT,
      '@graph': [
        {
          '@type': 'Article',
          '@id': 'https://harbour.test/a2/#article',
          isPartOf: { '@id': 'https://harbour.test/a2/' },
          author: { name: 'Ann Lee', '@id': '#ann' },
          headline: 'The tide',
          datePublished: said.publishedAt,
          dateModified: said.updatedAt,
          mainEntityOfPage: { '@id': 'https://harbour.test/a2/' },
          publisher: { '@id': '#org' },
          image: { '@id': '#img' },
          keywords: ['sea', 'moon'],
          articleSection: ['Sea'],
          description: 'On tides.',
        },
        {
          '@type': 'WebPage',
          '@id': 'https://harbour.test/a2/',
          url: 'https://harbour.test/a2/',
          name: 'The tide - Harbour &amp; Co',
          primaryImageOfPage: { '@id': '#img' },
        },
        { '@type': 'ImageObject', '@id': '#img', url: said.image, contentUrl: said.image, width: 1200 },
        { '@type': 'Organization', '@id': '#org', name: 'Harbour & Co' },
        {
          '@type': 'Person',
          '@id': '#ann',
          name: 'Ann Lee',
          image: { '@type': 'ImageObject', url: 'https://harbour.test/ann.jpg' },
        },
      ],
    }),
    text,
    said,
  ),
  makePage(
    'a blog posting with its tags in one string',
    '/a3',
    ld({
      ...CONTEXT,
      '@type': 'BlogPosting',
      ...plain,
      keywords: 'sea, moon',
      author: 'Ann Lee',
      image: { '@type': 'ImageObject', url: said.image },
    }),
    text,
    said,
  ),
  makePage(
    'microdata',
    '/a4',
    '',
    `<article itemscope itemtype="http://schema.org/BlogPosting"><h1 itemprop="headline">The tide</h1><span itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" href="/ann"><span itemprop="name">Ann Lee</span></a></span>
     <time itemprop="datePublished" datetime="${said.publishedAt}">1 March</time><time itemprop="dateModified" datetime="${said.updatedAt}">2 March</time><img itemprop="image" src="/tide.jpg" alt="">
     <div itemprop="publisher" itemscope itemtype="http://schema.org/Organization"><meta itemprop="name" content="Harbour &amp; Co"></div><meta itemprop="articleSection" content="Sea"><p itemprop="description">On tides.</p><meta itemprop="keywords" content="sea,moon"></article>`,
    said,
  ),
  makePage(
    'meta tags',
    '/a5',
    `<meta property="og:type" content="article"><meta property="og:title" content="The tide"><meta property="og:description" content="On tides."><meta property="og:image" content="${said.image}"><meta name="author" content="Ann Lee">
     <meta property="article:published_time" content="${said.publishedAt}"><meta property="article:modified_time" content="${said.updatedAt}"><meta property="article:section" content="Sea"><meta property="article:tag" content="sea"><meta property="article:tag" content="moon">`,
    text,
    said,
  ),
  makePage(
    'JSON-LD of two halves: the data, and the tags in meta',
    '/a6',
    `${ld({ ...CONTEXT, '@type': 'Article', headline: 'The tide', author: [{ '@type': 'Person', name: 'Ann Lee' }], datePublished: said.publishedAt, publisher })}<meta property="og:type" content="article"><meta property="og:image" content="${said.image}"><meta property="og:description" content="On tides."><meta property="article:modified_time" content="${said.updatedAt}"><meta property="article:section" content="Sea"><meta property="article:tag" content="sea"><meta property="article:tag" content="moon">`,
    text,
    said,
  ),
  makePage(
    'an article with others beside it',
    '/a7',
    ld(
      { ...CONTEXT, '@type': 'NewsArticle', '@id': 'https://harbour.test/a7', ...plain },
      {
        ...CONTEXT,
        '@type': 'ItemList',
        itemListElement: [
          { '@type': 'ListItem', position: 1, item: { '@type': 'NewsArticle', headline: 'Other news', author: 'Bo' } },
        ],
      },
    ),
    text,
    said,
  ),
  makePage(
    'two authors, of whom neither is the one',
    '/a8',
    ld({
      ...CONTEXT,
      '@type': 'ReportageNewsArticle',
      ...plain,
      author: [
        { '@type': 'Person', name: 'Ann Lee' },
        { '@type': 'Person', name: 'Bo Day' },
      ],
    }),
    text,
    { ...said, author: 'Ann Lee and Bo Day' },
  ),
]
