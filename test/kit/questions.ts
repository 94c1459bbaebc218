/** Questions in the format of AskUserQuestion: one with a single answer, one with several. */
export const dbQuestion = {
  question: 'Which DB?',
  header: 'DB',
  multiSelect: false,
  options: [
    { label: 'Postgres', description: 'relational' },
    { label: 'Redis', description: 'in memory' },
  ],
};

export const questions = [
  dbQuestion,
  {
    question: 'Which extras?',
    header: 'Extras',
    multiSelect: true,
    options: [
      { label: 'Cache', description: 'fast' },
      { label: 'Queue', description: 'later' },
    ],
  },
];
