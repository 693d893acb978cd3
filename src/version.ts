/** Name, version and home of this library, as requests present them. */
export const VERSION = '0.1.0';
export const HOME = 'https://github.com/skillscout/skillscout';
