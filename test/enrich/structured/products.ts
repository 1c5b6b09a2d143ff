import { CONTEXT, ld, makePage, siteFurniture, type StructuredPage } from './structured-page.js'

export const productSchema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    brand: { type: 'string' },
    sku: { type: 'string' },
    price: { type: 'number' },
    currency: { type: 'string' },
    inStock: { type: 'boolean' },
    description: { type: 'string' },
    image: { type: 'string', format: 'uri' },
    rating: { type: 'number' },
    reviewCount: { type: 'integer' },
  },
  required: ['title', 'price'],
}

const text = '<h1>Thing</h1><p>It is described here at some length for who reads it.</p>'

export const products: readonly StructuredPage[] = [
  makePage(
    'a shop with JSON-LD, one offer',
    '/lamp',
    ld(...siteFurniture, {
      ...CONTEXT,
      '@type': 'Product',
      name: 'Deck Lamp',
      brand: { '@type': 'Brand', name: 'Lumen' },
      sku: 'DL-1',
      description: 'A lamp for the deck.',
      image: ['https://harbour.test/lamp-1.jpg', 'https://harbour.test/lamp-2.jpg'],
      offers: { '@type': 'Offer', price: '49.90', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
      aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.5', reviewCount: '12' },
    }),
    text,
    { title: 'Deck Lamp', brand: 'Lumen', sku: 'DL-1', price: 49.9, currency: 'EUR', inStock: true, description: 'A lamp for the deck.', image: 'https://harbour.test/lamp-1.jpg', rating: 4.5, reviewCount: 12 },
  ),
  makePage(
    'a graph with references, and related products',
    '/rope',
    ld({
      ...CONTEXT,
      '@graph': [
        ...siteFurniture,
        { '@type': 'ItemPage', '@id': 'https://harbour.test/rope#page', mainEntity: { '@id': 'https://harbour.test/rope#product' } },
        {
          '@type': 'Product',
          '@id': 'https://harbour.test/rope#product',
          url: 'https://harbour.test/rope',
          name: 'Mooring Rope 10&nbsp;m',
          brand: { '@id': '#brand' },
          sku: 'R-10',
          image: { '@type': 'ImageObject', url: 'https://harbour.test/rope.jpg' },
          description: '<p>Ten metres of rope.</p>',
          offers: [{ '@type': 'Offer', priceSpecification: [{ '@type': 'UnitPriceSpecification', price: '24.00', priceCurrency: 'GBP' }], availability: 'http://schema.org/OutOfStock' }],
        },
        { '@type': 'Brand', '@id': '#brand', name: 'Knot' },
        { '@type': 'Product', name: 'Anchor', url: 'https://harbour.test/anchor', offers: { '@type': 'Offer', price: 99, priceCurrency: 'GBP' } },
      ],
    }),
    text,
    { title: 'Mooring Rope 10 m', brand: 'Knot', sku: 'R-10', price: 24, currency: 'GBP', inStock: false, description: 'Ten metres of rope.', image: 'https://harbour.test/rope.jpg' },
  ),
  makePage(
    'microdata',
    '/mug',
    '',
    `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Enamel Mug</h1>
     <img itemprop="image" src="/img/mug.jpg" alt=""><span itemprop="brand" itemscope itemtype="https://schema.org/Brand"><meta itemprop="name" content="Tin &amp; Co"></span>
     <meta itemprop="sku" content="M1"><p itemprop="description">Holds a pint of tea.</p>
     <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="12.50">£12.50</span><meta itemprop="priceCurrency" content="GBP"><link itemprop="availability" href="https://schema.org/InStock"></div>
     <div itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating"><span itemprop="ratingValue">4.8</span> of 5, <span itemprop="reviewCount">31</span> reviews</div></div>`,
    { title: 'Enamel Mug', brand: 'Tin & Co', sku: 'M1', price: 12.5, currency: 'GBP', inStock: true, description: 'Holds a pint of tea.', image: 'https://harbour.test/img/mug.jpg', rating: 4.8, reviewCount: 31 },
  ),
  makePage(
    'RDFa',
    '/map',
    '',
    `<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Sea Map</h1><img property="image" src="map.png" alt="">
     <span property="brand">Charts Ltd</span><span property="sku">SM-7</span><p property="description">The coast in one sheet.</p>
     <div property="offers" typeof="Offer">USD <span property="price">18.00</span><meta property="priceCurrency" content="USD"><link property="availability" href="http://schema.org/InStock"></div></div>`,
    { title: 'Sea Map', brand: 'Charts Ltd', sku: 'SM-7', price: 18, currency: 'USD', inStock: true, description: 'The coast in one sheet.', image: 'https://harbour.test/map.png' },
  ),
  makePage(
    'meta tags alone',
    '/oar',
    `<meta property="og:type" content="product"><meta property="og:title" content="Ash Oar"><meta property="og:description" content="An oar of ash."><meta property="og:image" content="https://harbour.test/oar.jpg">
     <meta property="product:brand" content="Row"><meta property="product:price:amount" content="75.00"><meta property="product:price:currency" content="EUR"><meta property="product:availability" content="in stock"><meta property="product:retailer_item_id" content="OAR-2">`,
    text,
    { title: 'Ash Oar', brand: 'Row', sku: 'OAR-2', price: 75, currency: 'EUR', inStock: true, description: 'An oar of ash.', image: 'https://harbour.test/oar.jpg' },
  ),
  makePage(
    'JSON-LD in an array, prices as numbers',
    '/tent',
    ld([siteFurniture[2], { ...CONTEXT, '@type': ['Product', 'IndividualProduct'], name: 'Beach Tent', manufacturer: 'Tuch', mpn: 'BT', sku: 9981, brand: 'Tuch', image: '/tent.webp', description: 'For two.', offers: { '@type': 'Offer', price: 1299, priceCurrency: 'SEK', availability: 'InStock' } }]),
    text,
    { title: 'Beach Tent', brand: 'Tuch', sku: '9981', price: 1299, currency: 'SEK', inStock: true, description: 'For two.', image: 'https://harbour.test/tent.webp' },
  ),
  makePage(
    'JSON-LD beside microdata that says less',
    '/buoy',
    ld({ ...CONTEXT, '@type': 'http://schema.org/Product', name: 'Buoy', sku: 'B-3', offers: { '@type': 'http://schema.org/Offer', price: '35', priceCurrency: 'USD', availability: 'http://schema.org/LimitedAvailability' } }),
    `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Buoy</h1><span itemprop="brand">Float</span><p itemprop="description">It floats.</p><img itemprop="image" src="https://harbour.test/buoy.jpg" alt=""></div>`,
    { title: 'Buoy', brand: 'Float', sku: 'B-3', price: 35, currency: 'USD', inStock: true, description: 'It floats.', image: 'https://harbour.test/buoy.jpg' },
  ),
  makePage(
    'a book, with its seller’s two offers at one price',
    '/tides',
    ld({ ...CONTEXT, '@type': ['Product', 'Book'], name: 'Tides', isbn: '9780000000001', brand: 'North Press', description: 'On tides.', image: 'https://harbour.test/tides.jpg', sku: 'T', offers: [{ '@type': 'Offer', price: '15.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock', itemCondition: 'https://schema.org/NewCondition' }, { '@type': 'Offer', price: 15, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' }], aggregateRating: { ratingValue: 3.9, reviewCount: 200, bestRating: 5 } }),
    text,
    { title: 'Tides', brand: 'North Press', sku: 'T', price: 15, currency: 'EUR', inStock: true, description: 'On tides.', image: 'https://harbour.test/tides.jpg', rating: 3.9, reviewCount: 200 },
  ),
  makePage(
    'JSON-LD with line breaks in its strings',
    '/soap',
    `<script type="application/ld+json">\n//<![CDATA[\n{"@context":"https://schema.org/","@type":"Product","name":"Salt Soap","description":"Good\nfor hands.","sku":"S","brand":{"@type":"Thing","name":"Suds"},"image":"https://harbour.test/soap.jpg","offers":{"@type":"Offer","price":"4.20","priceCurrency":"EUR","availability":"https://schema.org/SoldOut"}}\n//]]>\n</script>`,
    text,
    { title: 'Salt Soap', brand: 'Suds', sku: 'S', price: 4.2, currency: 'EUR', inStock: false, description: 'Good for hands.', image: 'https://harbour.test/soap.jpg' },
  ),
  makePage(
    'offers of several prices, which leave the price open',
    '/shirt',
    ld({ ...CONTEXT, '@type': 'Product', name: 'Striped Shirt', brand: 'Mar', sku: 'SH', description: 'Stripes.', image: 'https://harbour.test/shirt.jpg', offers: [{ '@type': 'Offer', price: 30, priceCurrency: 'EUR', availability: 'InStock' }, { '@type': 'Offer', price: 34, priceCurrency: 'EUR', availability: 'InStock' }] }),
    '<h1>Striped Shirt</h1><p>From 30 euros.</p>',
    { title: 'Striped Shirt', brand: 'Mar', sku: 'SH', price: 30, currency: 'EUR', inStock: true, description: 'Stripes.', image: 'https://harbour.test/shirt.jpg' },
  ),
]
