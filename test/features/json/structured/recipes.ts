import { CONTEXT, ld, makePage, siteFurniture, type StructuredPage } from '../../../content/extract/structured-page.js'

export const recipeSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    ingredients: { type: 'array', items: { type: 'string' } },
    steps: { type: 'array', items: { type: 'string' } },
    prepTimeMinutes: { type: 'number' },
    cookTimeMinutes: { type: 'number' },
    totalTimeMinutes: { type: 'number' },
    servings: { type: 'integer' },
    cuisine: { type: 'string' },
    calories: { type: 'number', description: 'kcal in a serving' },
    author: { type: 'string' },
  },
  required: ['name', 'ingredients'],
}

const text = '<h1>Fish soup</h1><p>From the coast, and for cold evenings, when the boats are in.</p>'
const said = {
  name: 'Fish soup',
  ingredients: ['500 g cod', '1 onion', '1 l stock'],
  steps: ['Chop the onion.', 'Boil the stock & add the fish.'],
  prepTimeMinutes: 15,
  cookTimeMinutes: 30,
  totalTimeMinutes: 45,
  servings: 4,
  cuisine: 'Nordic',
  calories: 320,
  author: 'Ann Lee',
}
const plain = {
  name: 'Fish soup',
  author: { '@type': 'Person', name: 'Ann Lee' },
  recipeIngredient: said.ingredients,
  prepTime: 'PT15M',
  cookTime: 'PT30M',
  totalTime: 'PT45M',
  recipeYield: '4 servings',
  recipeCuisine: 'Nordic',
  nutrition: { '@type': 'NutritionInformation', calories: '320 kcal' },
}
const howTo = said.steps.map((step) => ({ '@type': 'HowToStep', text: step.replace('&', '&amp;') }))

export const recipes: readonly StructuredPage[] = [
  makePage(
    'a food blog',
    '/r1',
    ld(...siteFurniture, { ...CONTEXT, '@type': 'Recipe', ...plain, recipeInstructions: howTo }),
    text,
    said,
  ),
  makePage(
    'a recipe plugin’s graph, its yield said twice',
    '/r2',
    ld({
      ...CONTEXT,
      '@graph': [
        { '@type': 'Article', headline: 'Soup for cold evenings', author: { name: 'Bo' } },
        {
          '@type': 'Recipe',
          ...plain,
          recipeYield: ['4', '4 servings'],
          recipeCuisine: ['Nordic'],
          recipeInstructions: howTo,
        },
      ],
    }),
    text,
    said,
  ),
  makePage(
    'steps in sections',
    '/r3',
    ld({
      ...CONTEXT,
      '@type': 'Recipe',
      ...plain,
      recipeInstructions: [
        { '@type': 'HowToSection', name: 'Before', itemListElement: [howTo[0]] },
        { '@type': 'HowToSection', name: 'Then', itemListElement: [howTo[1]] },
      ],
    }),
    text,
    said,
  ),
  makePage(
    'steps as plain texts, times in hours and minutes',
    '/r4',
    ld({
      ...CONTEXT,
      '@type': 'Recipe',
      ...plain,
      cookTime: 'PT0H30M',
      totalTime: 'P0DT0H45M',
      recipeYield: 4,
      recipeInstructions: said.steps,
    }),
    text,
    said,
  ),
  makePage(
    'microdata',
    '/r5',
    '',
    `<div itemscope itemtype="http://schema.org/Recipe"><h1 itemprop="name">Fish soup</h1><span itemprop="author">Ann Lee</span><meta itemprop="prepTime" content="PT15M"><time itemprop="cookTime" datetime="PT30M">half an hour</time><meta itemprop="totalTime" content="PT45M">
     <span itemprop="recipeYield">4 servings</span><span itemprop="recipeCuisine">Nordic</span><div itemprop="nutrition" itemscope itemtype="http://schema.org/NutritionInformation"><span itemprop="calories">320 kcal</span></div>
     <ul><li itemprop="recipeIngredient">500 g cod</li><li itemprop="recipeIngredient">1 onion</li><li itemprop="recipeIngredient">1 l stock</li></ul><ol><li itemprop="recipeInstructions">Chop the onion.</li><li itemprop="recipeInstructions">Boil the stock &amp; add the fish.</li></ol></div>`,
    said,
  ),
  makePage(
    'RDFa',
    '/r6',
    '',
    `<div vocab="http://schema.org/" typeof="Recipe"><h1 property="name">Fish soup</h1><span property="author">Ann Lee</span><meta property="prepTime" content="PT15M"><meta property="cookTime" content="PT30M"><meta property="totalTime" content="PT45M"><span property="recipeYield">4</span><span property="recipeCuisine">Nordic</span>
     <ul><li property="recipeIngredient">500 g cod</li><li property="recipeIngredient">1 onion</li><li property="recipeIngredient">1 l stock</li></ul><p property="recipeInstructions">Chop the onion.</p><p property="recipeInstructions">Boil the stock &amp; add the fish.</p><div property="nutrition" typeof="NutritionInformation"><span property="calories">320 calories</span></div></div>`,
    said,
  ),
  makePage(
    'ingredients under their old name, servings from a range',
    '/r7',
    ld({
      ...CONTEXT,
      '@type': 'Recipe',
      ...plain,
      recipeIngredient: undefined,
      ingredients: said.ingredients,
      recipeYield: '4-6 people',
      recipeInstructions: howTo,
    }),
    text,
    { ...said, servings: 4 },
  ),
  makePage(
    'a recipe within its page',
    '/r8',
    ld({
      ...CONTEXT,
      '@type': 'WebPage',
      name: 'Harbour kitchen',
      mainEntity: {
        '@type': 'Recipe',
        ...plain,
        recipeInstructions: howTo,
        author: { '@type': 'Organization', name: 'Ann Lee' },
      },
    }),
    text,
    said,
  ),
]
