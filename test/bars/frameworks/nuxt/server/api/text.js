import texts from '../../texts.json'

export default defineEventHandler(() => texts['nuxt-data'])
